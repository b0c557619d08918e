import { TesseraError } from '../text/index.ts';

export class LimitExceededError extends TesseraError {
  readonly code = 'limit-exceeded';
  override readonly pointer: string;

  constructor(pointer: string, message: string) {
    super(message);
    this.pointer = pointer;
  }
}

/** An option needs something that this request or this service does not have. */
export class UnusableOptionError extends TesseraError {
  readonly code = 'unusable-option';
  override readonly pointer: string;

  constructor(pointer: string, message: string) {
    super(message);
    this.pointer = pointer;
  }
}

/** The caller no longer waits for the work. */
export class WorkCancelledError extends TesseraError {
  readonly code = 'cancelled';

  constructor() {
    super('The caller is gone.');
  }
}
