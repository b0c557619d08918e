import { TesseraError } from '../text/index.ts';
import { fitsRow } from './json-rows.ts';

/** Something is longer than a row of the database can be. */
export class TooLongError extends TesseraError {
  readonly code = 'too-long';

  constructor(what: string) {
    super(`${what} is too long to be kept: at most 1.6 MB of JSON are.`);
  }
}

/**
 * The text, where it fits into a row of every store, whole.
 *
 * @throws TooLongError
 */
export function fitting(what: string, text: string): string {
  if (!fitsRow(text)) throw new TooLongError(what);
  return text;
}
