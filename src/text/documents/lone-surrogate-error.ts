import { TesseraError } from '../../contract/tessera-error.ts';

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
