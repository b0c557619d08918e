import { TesseraError } from '../tessera-error.ts';

/** A text holds half a surrogate pair, which UTF-8 storage could not give back. */
export class LoneSurrogateError extends TesseraError {
  readonly code = 'lone-surrogate';
  /** UTF-16 offset of the first lone surrogate. */
  readonly offset: number;

  constructor(offset: number) {
    super(`The text holds a lone surrogate at offset ${offset}.`);
    this.offset = offset;
  }
}

/** With the `u` flag a well-formed pair is one character, so that only lone halves match. */
const LONE_SURROGATE = /\p{Surrogate}/u;

/** The UTF-16 offset of the first lone surrogate, or undefined where the text is well-formed. */
export function findLoneSurrogate(text: string): number | undefined {
  const offset = text.search(LONE_SURROGATE);
  return offset < 0 ? undefined : offset;
}

/**
 * Refuses a text that storage could not give back unit for unit.
 *
 * @throws LoneSurrogateError with the offset of the first lone surrogate.
 */
export function checkText(text: string): void {
  const offset = findLoneSurrogate(text);
  if (offset !== undefined) throw new LoneSurrogateError(offset);
}
