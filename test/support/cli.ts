import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

const CLI = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));

export type Environment = Readonly<Record<string, string>>;

export interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Starts `tessera` with these settings and none of this process's; it does not outlive the test. */
export function startCli(
  args: readonly string[],
  cwd: string,
  environment: Environment = {},
  stdin: 'ignore' | 'pipe' = 'ignore',
): ChildProcess {
  if (!existsSync(CLI)) throw new Error('dist/cli.js is missing: run "npm run build" first.');
  const child = spawn(process.execPath, [CLI, ...args], {
    cwd,
    env: { PATH: process.env.PATH, TESSERA_MATRIX: 'portable', ...environment },
    stdio: [stdin, 'pipe', 'pipe'],
    detached: true, // a process group of its own, so that what it leaves behind can be seen
  });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  return child;
}

/** Runs `tessera` to its end; `typed` is what it reads from standard input. */
export async function runCli(
  args: readonly string[],
  cwd: string,
  environment: Environment = {},
  typed = '',
): Promise<Outcome> {
  const child = startCli(args, cwd, environment, 'pipe');
  const { stdin, stdout, stderr } = child;
  if (stdin === null || stdout === null || stderr === null) throw new Error('no pipes');
  stdin.on('error', () => {}); // it may end before it reads
  stdin.end(typed);
  const [out, err, [code]] = await Promise.all([text(stdout), text(stderr), once(child, 'exit')]);
  return { code, stdout: out, stderr: err };
}
