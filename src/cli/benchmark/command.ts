import type { DigestDeps } from '../../digest/index.ts';

export interface CommandStreams {
  readonly stdin: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly stdout: Pick<NodeJS.WriteStream, 'write'>;
  readonly stderr: Pick<NodeJS.WriteStream, 'write'> & { readonly isTTY?: boolean };
}

export interface BenchmarkCommand {
  readonly summary: string;
  readonly usage: string;
  readonly examples: readonly string[];
  /**
   * @param args after the command name
   * @param service starts the service; called after flags and files are checked
   * @param signal stops the command; answers so far are kept
   * @returns the exit code
   * @throws UsageError for flags, BadRecordsError for malformed files, before anything is asked
   */
  run(
    args: readonly string[],
    service: () => Promise<DigestDeps>,
    streams: CommandStreams,
    signal: AbortSignal,
  ): Promise<number>;
}
