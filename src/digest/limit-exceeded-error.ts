import { TesseraError } from '../text/index.ts';

/** A request asks for more than this service gives to one. */
export class LimitExceededError extends TesseraError {
  readonly code = 'limit-exceeded';
  override readonly pointer: string;

  constructor(pointer: string, message: string) {
    super(message);
    this.pointer = pointer;
  }
}
