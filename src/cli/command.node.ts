import { type ParseArgsConfig, parseArgs } from 'node:util';
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
type Values<Own extends Flags> = ReturnType<
  typeof parseArgs<{ args: string[]; options: Own; allowPositionals: true }>
>['values'];

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

export interface Declared<Own extends Flags> extends Described {
  readonly flags: Own;
  readonly takes?: Takes;
  /** @throws UsageError for conflicting values */
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

/**
 * Parses flags and positional arguments.
 * @throws UsageError for a missing value or an unknown flag, with a suggestion
 */
export function parseFlags<const Options extends NonNullable<ParseArgsConfig['options']>>(
  args: readonly string[],
  options: Options,
): ReturnType<typeof parseArgs<{ args: string[]; options: Options; allowPositionals: true }>> {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (cause) {
    const told = cause instanceof Error ? cause.message : String(cause);
    throw new UsageError(whatIsWrong(told, Object.keys(options)), { cause });
  }
}

function whatIsWrong(told: string, flags: readonly string[]): string {
  const flag = /'(--?[^' ]+)/.exec(told)?.[1] ?? '';
  if (told.startsWith('Unknown option')) {
    const meant = nearest(flag.replace(/^-+/, ''), flags);
    return `There is no option ${flag}${meant === null ? '' : `; did you mean --${meant}?`}${meant === null ? '.' : ''}`;
  }
  if (told.includes('does not take an argument')) return `${flag} takes no value.`;
  if (told.includes('ambiguous')) return `${flag} needs a value; write one that begins with "-" as ${flag}=VALUE.`;
  return `${flag} needs a value.`;
}

/** @throws UsageError unless there is exactly one */
export function onlyPositional(positionals: readonly string[], what: string): string {
  const [first, ...more] = positionals;
  if (first === undefined || more.length > 0) throw new UsageError(`Name ${what}, and one only.`);
  return first;
}

const MAX_EDITS = 2;

export function nearest(given: string, words: readonly string[]): string | null {
  const near = words
    .map((word) => ({ word, edits: word.startsWith(given) && given.length > 1 ? 1 : editsBetween(given, word) }))
    .filter(({ word, edits }) => edits <= Math.min(MAX_EDITS, Math.floor(word.length / 2)));
  return near.toSorted((a, b) => a.edits - b.edits).at(0)?.word ?? null;
}

/** Damerau's edit distance (1964): insertions, deletions, substitutions and transpositions. */
export function editsBetween(a: string, b: string): number {
  const rows = Array.from({ length: a.length + 1 }, (_, i) => [i, ...Array<number>(b.length).fill(0)]);
  rows[0] = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1];
      const edits = [rows[i - 1][j] + 1, rows[i][j - 1] + 1, rows[i - 1][j - 1] + (isSame ? 0 : 1)];
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      rows[i][j] = Math.min(...edits, isSwapped ? rows[i - 2][j - 2] + 1 : Number.POSITIVE_INFINITY);
    }
  }
  return rows[a.length][b.length];
}
