/** A flag of a command, as node:util reads it and as help tells of it. */
interface Flag {
  readonly type: 'string' | 'boolean';
  /** Whether all of its values count where it is given several times; otherwise the last does. */
  readonly multiple?: true;
  /** What help calls its value, such as FILE. */
  readonly value?: string;
  /** What it does, in a line. */
  readonly about: string;
}

export type Flags = Readonly<Record<string, Flag>>;

/** What is called by one or two words behind `tessera`. */
export interface Command {
  /** What it does, in a line. */
  readonly summary: string;
  /** What stands behind its name, flags apart unless there are none in `flags`. */
  readonly usage: string;
  readonly flags: Flags;
  /** Whatever else has to be known, in lines. */
  readonly notes?: string;
  /** Lines to be run as they are, but for names of files. */
  readonly examples: readonly string[];
  /**
   * Sets `process.exitCode` where something failed.
   *
   * @param args what stands behind its name
   * @throws UsageError for a call that is wrong, and what it runs throws
   */
  run(args: readonly string[]): Promise<void>;
}

/** Commands by name, in the order in which help lists them. */
export type Commands = Readonly<Record<string, Command>>;
