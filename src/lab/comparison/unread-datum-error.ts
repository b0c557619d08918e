import { TesseraError } from '../../text/index.ts';

/** None of the documents of a datum could be read, so that there is nothing to compare. */
export class UnreadDatumError extends TesseraError {
  readonly code = 'unread-datum';

  constructor() {
    super('None of the documents could be read.');
  }
}
