import { parseArgs } from 'node:util';
import { TesseraError } from '../text/index.ts';

export class UsageError extends TesseraError {
  readonly code = 'usage';
}

interface Flag {
  readonly type: 'string' | 'boolean';
  /** Keeps all values of a repeated flag; by default the last one counts. */
  readonly multiple?: true;
  /** Name of the value in help, such as FILE. */
  readonly value?: string;
  readonly about: string;
}

export type Flags = Readonly<Record<string, Flag>>;
type Parsed<Own extends Flags> = ReturnType<typeof parseArgs<{ args: string[]; options: Own; allowPositionals: true }>>;
export type Values<Own extends Flags> = Parsed<Own>['values'];

interface Described {
  readonly summary: string;
  readonly usage: string;
  readonly flags: Flags;
  readonly notes?: string;
  readonly examples: readonly string[];
}

export interface Command extends Described {
  /**
   * Sets `process.exitCode` on failure.
   * @throws UsageError for a wrong call; errors of its work
   */
  run(args: readonly string[]): Promise<void>;
}

export type Commands = Readonly<Record<string, Command>>;

interface Takes {
  readonly min: number;
  readonly max: number;
  readonly otherwise: string;
}

/** A command by its flags; `Context` is what it is given beside its arguments. */
export interface Declared<Own extends Flags, Context extends readonly unknown[] = [], Result = void> extends Described {
  readonly flags: Own;
  readonly takes?: Takes;
  run(values: Values<Own>, args: readonly string[], ...context: Context): Promise<Result>;
}

export function one(what: string): Takes {
  return { min: 1, max: 1, otherwise: `Name ${what}, and one only.` };
}

export function command<const Own extends Flags, Context extends readonly unknown[] = [], Result = void>({
  takes,
  run,
  ...described
}: Declared<Own, Context, Result>) {
  return {
    ...described,
    async run(args: readonly string[], ...context: Context): Promise<Result> {
      const { values, positionals } = parseFlags(args, described.flags);
      const [first] = positionals;
      if (takes === undefined && first !== undefined) {
        throw new UsageError(`"${first}" is one word too many: only options stand here.`);
      }
      if (takes !== undefined && (positionals.length < takes.min || positionals.length > takes.max)) {
        throw new UsageError(takes.otherwise);
      }
      return run(values, positionals, ...context);
    },
  };
}

function parseFlags<const Own extends Flags>(args: readonly string[], options: Own): Parsed<Own> {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (cause) {
    const told = cause instanceof Error ? cause.message : String(cause);
    throw new UsageError(whatIsWrong(told), { cause });
  }
}

function whatIsWrong(told: string): string {
  const flag = /'(--?[^' ]+)/.exec(told)?.[1] ?? '';
  if (told.startsWith('Unknown option')) return `There is no option ${flag}.`;
  if (told.includes('does not take an argument')) return `${flag} takes no value.`;
  if (told.includes('ambiguous')) return `${flag} needs a value; write one that begins with "-" as ${flag}=VALUE.`;
  return `${flag} needs a value.`;
}
