import type { DigestDeps } from '../../digest/index.ts';
import { type Command, command, type Declared, type Flags } from '../command.node.ts';

export interface CommandStreams {
  readonly stdin: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly stdout: Pick<NodeJS.WriteStream, 'write'>;
  readonly stderr: Pick<NodeJS.WriteStream, 'write'> & { readonly isTTY?: boolean };
}

export type Context = [
  /** Starts the service; called after flags and files are checked. */
  service: () => Promise<DigestDeps>,
  streams: CommandStreams,
  /** Stops the command; answers so far are kept. */
  signal: AbortSignal,
];

/** What a command works with once the service has started. */
export interface Working {
  readonly deps: DigestDeps;
  readonly streams: CommandStreams;
  readonly signal: AbortSignal;
}

export interface BenchmarkCommand extends Omit<Command, 'run'> {
  /**
   * @param args after the command name
   * @returns the exit code
   * @throws UsageError for flags, BadRecordsError for malformed files, before anything is asked
   */
  run(args: readonly string[], ...context: Context): Promise<number>;
}

export function benchmarkCommand<const Own extends Flags>(declared: Declared<Own, Context, number>): BenchmarkCommand {
  return command(declared);
}
