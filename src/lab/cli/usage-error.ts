import { TesseraError } from '../../text/tessera-error.ts';

/** A command line that says what cannot be done. */
export class UsageError extends TesseraError {
  readonly code = 'usage';
}
