import { TesseraError } from '../text/index.ts';

/** An option asks for what this request, or this service, does not have. */
export class UnusableOptionError extends TesseraError {
  readonly code = 'unusable-option';
  override readonly pointer: string;

  constructor(pointer: string, message: string) {
    super(message);
    this.pointer = pointer;
  }
}
