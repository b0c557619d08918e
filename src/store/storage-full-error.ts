import { TesseraError } from '../text/index.ts';

/** The disk, or the database by its own bound, has no room: the statements wrote nothing. */
export class StorageFullError extends TesseraError {
  readonly code = 'insufficient-storage';

  constructor(cause: unknown) {
    super('The service has no room left to keep anything: ask again once its operator has made some.', { cause });
  }
}
