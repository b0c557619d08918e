import { TesseraError } from '../text/index.ts';

/** What was sent cannot be scored: nothing to compare with, one id twice, a weight that is none. */
export class InvalidEvaluationError extends TesseraError {
  readonly code = 'invalid-evaluation';
  override readonly pointer: string;

  constructor(pointer: string, message: string) {
    super(message);
    this.pointer = pointer;
  }
}
