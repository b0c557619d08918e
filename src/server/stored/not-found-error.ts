import { TesseraError } from '../../text/index.ts';

/** What a request names is not there, or is not the caller's. */
export abstract class NotFoundError extends TesseraError {
  readonly code = 'not-found';
}
