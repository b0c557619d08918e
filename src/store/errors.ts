import { TesseraError } from '../text/index.ts';

/** The disk, or the database by its own bound, has no room: the statements wrote nothing. */
export class StorageFullError extends TesseraError {
  readonly code = 'insufficient-storage';

  constructor(cause: unknown) {
    super('The service has no room left to keep anything: ask again once its operator has made some.', { cause });
  }
}

/** Something is longer than a row of the database can be. */
export class TooLongError extends TesseraError {
  readonly code = 'too-long';

  constructor(what: string) {
    super(`${what} is too long to be kept: at most 1.6 MB of JSON are.`);
  }
}

/** A cursor that no page of this list gave out. */
export class InvalidCursorError extends TesseraError {
  readonly code = 'invalid-cursor';
  override readonly pointer = '/cursor';

  constructor() {
    super('is not a cursor of this list; send the "next" value of a page unchanged');
  }
}

/** A key cannot be made as it was asked for; the message says why. */
export class InvalidApiKeyError extends TesseraError {
  readonly code = 'invalid-api-key';
}

/** A database was migrated by a version of Tessera that came after this one. */
export class NewerDatabaseError extends TesseraError {
  readonly code = 'newer-database';

  constructor(file: string, schema: number, known: number) {
    super(
      `"${file}" has schema ${schema}, made by a newer Tessera, and this one knows schemas up to ${known}: start the newer one, or restore a backup from before the upgrade.`,
    );
  }
}
