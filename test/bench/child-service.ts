import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const CLI = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));

/** A process of `tessera` as it is installed. */
export interface ChildService {
  /** Where it listens; empty for one that only works. */
  readonly url: string;
  /** Of its memory that is in RAM. */
  residentMegabytes(): Promise<number>;
  stop(): Promise<void>;
}

/**
 * Starts `tessera serve` on a free port or `tessera work`, with these settings and none of this process's. Its log goes to a
 * file: a pipe that this process is too busy to read would hold it up.
 */
export async function startChild(
  command: 'serve' | 'work',
  folder: string,
  settings: Readonly<Record<string, string>>,
): Promise<ChildService> {
  if (!existsSync(CLI)) throw new Error('dist/cli.js is missing: run "npm run build" first.');
  const log = join(folder, `${crypto.randomUUID()}.log`);
  const file = openSync(log, 'w');
  const child = spawn(process.execPath, [CLI, command], {
    env: { PATH: process.env.PATH, PORT: '0', ...settings },
    stdio: ['ignore', 'ignore', file],
  });
  closeSync(file);
  const exited = once(child, 'exit');
  // What ends on its own, or with the bench, is not to be waited for.
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  const url = await readiness(log, () => child.exitCode !== null);
  return {
    url,
    async residentMegabytes() {
      return (await residentBytes(url, child.pid)) / 1024 / 1024;
    },
    async stop() {
      child.kill('SIGTERM');
      await exited;
      process.off('exit', kill);
    },
  };
}

/** Reads the log until the process says that it is ready, and where. */
async function readiness(log: string, hasEnded: () => boolean): Promise<string> {
  for (;;) {
    const ended = hasEnded();
    const text = readFileSync(log, 'utf8');
    const line = text.split('\n').find((each) => /"msg":"(?:listening|working)"\}$/.test(each));
    if (line !== undefined) return JSON.parse(line).url ?? '';
    if (ended) throw new Error(`it ended before it was ready: ${text}`);
    await pause(50);
  }
}

async function residentBytes(url: string, pid: number | undefined): Promise<number> {
  const status = `/proc/${pid}/status`;
  if (existsSync(status)) return 1024 * Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(status, 'utf8'))?.[1]);
  const metrics = await (await fetch(`${url}/metrics`)).text();
  return Number(/^process_resident_memory_bytes (\S+)$/m.exec(metrics)?.[1]);
}
