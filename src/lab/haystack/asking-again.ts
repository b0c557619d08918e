import type { Counts } from './haystack-options.ts';

/** The flags that have a model asked anew: `--retry` asks for answers that could not be read, and for nothing else. */
export function askingAgain({ malformed = 0 }: Counts): string {
  return malformed > 0 ? '--retry' : '--restart, or another --seed';
}
