import { PointedError, TesseraError } from '../text/index.ts';

export class LimitExceededError extends PointedError {
  readonly code = 'limit-exceeded';
}

/** An option needs something that this request or this service does not have. */
export class UnusableOptionError extends PointedError {
  readonly code = 'unusable-option';
}

/** The caller no longer waits for the work. */
export class WorkCancelledError extends TesseraError {
  readonly code = 'cancelled';

  constructor() {
    super('The caller is gone.');
  }
}
