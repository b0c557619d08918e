import { type ParseArgsConfig, parseArgs } from 'node:util';
import { nearest } from './nearest.ts';
import { UsageError } from './usage-error.ts';

/**
 * Flags and positional arguments of a command.
 *
 * @throws UsageError for flags that there are not, with the one that was meant, and those that lack their value
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

/** In one line what Node says in up to three. */
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

/** @throws UsageError for none, or more than one */
export function onlyPositional(positionals: readonly string[], what: string): string {
  const [first, ...more] = positionals;
  if (first === undefined || more.length > 0) throw new UsageError(`Name ${what}, and one only.`);
  return first;
}

/** @throws UsageError for any */
export function noPositionals([first]: readonly string[]): void {
  if (first !== undefined) throw new UsageError(`"${first}" is one word too many: only options stand here.`);
}
