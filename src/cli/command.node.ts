import type { parseArgs } from 'node:util';
import { parseFlags } from './parse-flags.node.ts';
import { UsageError } from './usage-error.ts';

/** A flag of a command, as node:util parses it and help describes it. */
interface Flag {
  readonly type: 'string' | 'boolean';
  /** Whether all values count if it is given several times; otherwise the last does. */
  readonly multiple?: true;
  /** Name of its value in help, such as FILE. */
  readonly value?: string;
  /** One line of help. */
  readonly about: string;
}

export type Flags = Readonly<Record<string, Flag>>;
type Values<Own extends Flags> = ReturnType<
  typeof parseArgs<{ args: string[]; options: Own; allowPositionals: true }>
>['values'];

/** The parts of a command that help and completion show. */
interface Described {
  /** One line of help. */
  readonly summary: string;
  /** The arguments after the name. */
  readonly usage: string;
  readonly flags: Flags;
  readonly notes?: string;
  /** Command lines that run as they are, except for file names. */
  readonly examples: readonly string[];
}

/** A command that is called by one or two words after `tessera`. */
export interface Command extends Described {
  /**
   * Sets `process.exitCode` on failure.
   *
   * @param args what follows its name
   * @throws UsageError for a wrong call, and the errors of its work
   */
  run(args: readonly string[]): Promise<void>;
}

/** Commands by name, in the order of help. */
export type Commands = Readonly<Record<string, Command>>;

/** The number of arguments besides flags, and the message for another. */
interface Takes {
  readonly min: number;
  readonly max: number;
  readonly otherwise: string;
}

/** A command whose arguments are checked before it runs. */
export interface Declared<Own extends Flags> extends Described {
  readonly flags: Own;
  /** No arguments without it. */
  readonly takes?: Takes;
  /** @throws UsageError for values that do not go together */
  check?(values: Values<Own>, args: readonly string[]): void;
  run(values: Values<Own>, args: readonly string[]): Promise<void>;
}

export function one(what: string): Takes {
  return { min: 1, max: 1, otherwise: `Name ${what}, and one only.` };
}

export function command<const Own extends Flags>({ takes, check, run, ...described }: Declared<Own>): Command {
  return {
    ...described,
    async run(args) {
      const { values, positionals } = parseFlags(args, described.flags);
      const [first] = positionals;
      if (takes === undefined && first !== undefined)
        throw new UsageError(`"${first}" is one word too many: only options stand here.`);
      if (takes !== undefined && (positionals.length < takes.min || positionals.length > takes.max))
        throw new UsageError(takes.otherwise);
      check?.(values, positionals);
      await run(values, positionals);
    },
  };
}
