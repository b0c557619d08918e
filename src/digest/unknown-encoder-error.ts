import { TesseraError } from '../tessera-error.ts';

/** A request names an encoder that this service does not have. */
export class UnknownEncoderError extends TesseraError {
  readonly code = 'unknown-encoder';
  /** JSON pointer into the request. */
  readonly pointer: string;

  constructor(encoder: string, available: readonly string[], pointer: string) {
    super(`There is no encoder "${encoder}" here; there is ${available.map((name) => `"${name}"`).join(' and ')}.`);
    this.pointer = pointer;
  }
}
