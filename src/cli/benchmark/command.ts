import type { DigestDeps } from '../../digest/index.ts';

/** Where a command reads answers from and writes to. */
export interface CommandStreams {
  readonly stdin: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly stdout: Pick<NodeJS.WriteStream, 'write'>;
  readonly stderr: Pick<NodeJS.WriteStream, 'write'> & { readonly isTTY?: boolean };
}

/** A command below `tessera benchmark`. */
export interface BenchmarkCommand {
  /** One line. */
  readonly summary: string;
  /** The arguments behind its name. */
  readonly usage: string;
  /** Lines to be run as they are, but for names of files. */
  readonly examples: readonly string[];
  /**
   * @param args what comes behind the name
   * @param service starts the parts of the service; called once flags and files are known to be right
   * @param signal ends it; what is answered by then is kept
   * @returns the exit code
   * @throws UsageError for flags, BadRecordsError for files that are not as documented, before anything is asked
   */
  run(
    args: readonly string[],
    service: () => Promise<DigestDeps>,
    streams: CommandStreams,
    signal: AbortSignal,
  ): Promise<number>;
}
