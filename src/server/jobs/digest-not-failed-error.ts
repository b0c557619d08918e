import { TesseraError } from '../../text/index.ts';

/** A digest cannot be made anew, because the work on it has not failed. */
export class DigestNotFailedError extends TesseraError {
  readonly code = 'digest-not-failed';
  readonly id: string;

  constructor(id: string) {
    super('Only a digest whose work failed can be retried; this one is being made, has an answer, or was cancelled.');
    this.id = id;
  }
}
