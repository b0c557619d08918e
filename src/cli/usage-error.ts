import { TesseraError } from '../text/index.ts';

/** A command line that says what cannot be done. */
export class UsageError extends TesseraError {
  readonly code = 'usage';
}
