import { TesseraError } from '../text/index.ts';

/** The disk or the database quota is full; the transaction was rolled back. */
export class StorageFullError extends TesseraError {
  readonly code = 'insufficient-storage';

  constructor(cause: unknown) {
    super('The service has no room left to keep anything: ask again once its operator has made some.', { cause });
  }
}

/** A value does not fit into a database row. */
export class TooLongError extends TesseraError {
  readonly code = 'too-long';

  constructor(what: string) {
    super(`${what} is too long to be kept: at most 1.6 MB of JSON are.`);
  }
}

/** A cursor that does not belong to this list. */
export class InvalidCursorError extends TesseraError {
  readonly code = 'invalid-cursor';
  override readonly pointer = '/cursor';

  constructor() {
    super('is not a cursor of this list; send the "next" value of a page unchanged');
  }
}

export class InvalidApiKeyError extends TesseraError {
  readonly code = 'invalid-api-key';
}

/** The database was migrated by a newer version of Tessera. */
export class NewerDatabaseError extends TesseraError {
  readonly code = 'newer-database';

  constructor(file: string, schema: number, known: number) {
    super(
      `"${file}" has schema ${schema}, made by a newer Tessera, and this one knows schemas up to ${known}: start the newer one, or restore a backup from before the upgrade.`,
    );
  }
}

/** The path of the database leads to a folder, a device or a pipe. */
export class NotAFileError extends TesseraError {
  readonly code = 'not-a-file';

  constructor() {
    super('it is a folder or a device, not a file');
  }
}
