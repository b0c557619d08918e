import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { type Environment, startCli } from './cli.ts';

export type LogLine = Readonly<Record<string, unknown>>;

/** A process of the service that is ready. */
export interface ServiceProcess {
  readonly child: ChildProcess;
  /** Code and signal that it ended with. */
  readonly exited: Promise<readonly unknown[]>;
  /** What it logged so far. */
  readonly log: readonly LogLine[];
  /** What else it said: a process that fails says why. */
  readonly other: readonly string[];
  /** What it logged when it was ready: of `serve` the `url`, of `work` the `worker`. */
  readonly ready: LogLine;
}

const READY = { serve: 'listening', work: 'working' } as const;
/** What a process says that finds its own files half written: somebody builds at this moment. */
const BUILDING = /ERR_MODULE_NOT_FOUND|SyntaxError/;

/**
 * Starts `tessera serve` or `tessera work` and waits until it is ready; it does not outlive the test.
 *
 * @throws where it ends before; the message holds what it logged
 */
export async function startProcess(
  command: keyof typeof READY,
  folder: string,
  environment: Environment,
  tries = 5,
): Promise<ServiceProcess> {
  const child = startCli([command], folder, environment);
  const exited = once(child, 'exit');
  const { stdout, stderr } = child;
  if (stdout === null || stderr === null) throw new Error('no pipes');
  stdout.resume();
  const log: LogLine[] = [];
  const other: string[] = [];
  const ready = await new Promise<LogLine | null>((resolve) => {
    createInterface({ input: stderr })
      .on('line', (line) => {
        const logged = lineOf(line);
        if (logged === null) other.push(line);
        else log.push(logged);
        if (logged?.msg === READY[command]) resolve(logged);
      })
      .on('close', () => resolve(null));
  });
  if (ready !== null) return { child, exited, log, other, ready };
  const said = [...log.map((line) => JSON.stringify(line)), ...other].join('\n');
  if (tries <= 1 || !BUILDING.test(said)) throw new Error(`"${command}" ended before it was ready:\n${said}`);
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  return startProcess(command, folder, environment, tries - 1);
}

function lineOf(line: string): LogLine | null {
  if (!line.startsWith('{')) return null;
  try {
    return JSON.parse(line);
  } catch {
    return null; // cut by a kill
  }
}

/** The settings of processes that share a database. */
export function settingsOf(database: string, more: Environment = {}): Environment {
  return {
    PORT: '0',
    TESSERA_DB: database,
    TESSERA_LEASE_SECONDS: '1',
    TESSERA_WEBHOOK_ALLOW: '127.0.0.1',
    TESSERA_MATRIX: 'portable',
    TESSERA_RATE: 'off',
    ...more,
  };
}
