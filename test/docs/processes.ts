import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { Environment } from '../support/cli.ts';

export const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** A process that prints where it listens. */
export interface Listening {
  readonly url: string;
  /** What it printed so far, line by line. */
  readonly lines: readonly string[];
  stop(): Promise<void>;
}

/** The service as `npm start` starts it, over a database of its own. */
export interface Service extends Listening {
  /** Settings under which the command line reads the same database. */
  readonly settings: Environment;
}

export async function startService(): Promise<Service> {
  const folder = mkdtempSync(join(tmpdir(), 'tessera-docs-'));
  const settings = {
    PORT: '0',
    TESSERA_DB: join(folder, 'tessera.sqlite'),
    TESSERA_RATE: 'off',
    TESSERA_WEBHOOK_ALLOW: '127.0.0.1',
  };
  const service = await startNode(['dist/node.js'], settings);
  return {
    ...service,
    settings,
    async stop() {
      await service.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Starts Node in the root of the project, and waits for the address that it prints. */
export async function startNode(args: readonly string[], settings: Environment): Promise<Listening> {
  const child = start(process.execPath, args, settings);
  const lines: string[] = [];
  const exited = once(child, 'exit');
  const url = await new Promise<string>((resolve, reject) => {
    for (const input of [child.stdout, child.stderr]) {
      createInterface({ input }).on('line', (line) => {
        lines.push(line);
        const [address] = /http:\/\/127\.0\.0\.1:\d+/.exec(line) ?? [];
        if (address !== undefined) resolve(address);
      });
    }
    exited.then(() => reject(new Error(`${args.join(' ')} ended:\n${lines.join('\n')}`)));
  });
  return {
    url,
    lines,
    async stop() {
      child.kill('SIGKILL');
      await exited;
    },
  };
}

/**
 * Runs a command in the root of the project to its end, and answers what it wrote to standard output.
 *
 * @throws where it fails; the message holds what it wrote
 */
export async function run(command: string, args: readonly string[], settings: Environment): Promise<string> {
  const child = start(command, args, settings);
  const [output, errors, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  if (code !== 0) throw new Error(`${command} ended with ${code}:\n${args.at(-1)}\n${output}\n${errors}`);
  return output;
}

function start(command: string, args: readonly string[], settings: Environment) {
  const env = { PATH: process.env.PATH, TESSERA_MATRIX: 'portable', ...settings };
  const child: ChildProcess = spawn(command, args, { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const { stdout, stderr } = child;
  if (stdout === null || stderr === null) throw new Error('no pipes');
  return Object.assign(child, { stdout, stderr });
}
