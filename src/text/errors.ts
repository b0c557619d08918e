/** The base of all Tessera errors. Domain code throws subclasses; only `server/problem.ts` maps them to an HTTP status. */
export abstract class TesseraError extends Error {
  /** Stable machine-readable name, kebab-case; becomes the problem's `type`. */
  abstract readonly code: string;
  /** JSON pointer to the invalid field of the request, if known. */
  readonly pointer: string | null = null;

  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = new.target.name;
  }
}

/** The base of errors about one field of the request. */
export abstract class PointedError extends TesseraError {
  override readonly pointer: string;

  /** @param pointer JSON pointer to the invalid field */
  constructor(pointer: string, message: string) {
    super(message);
    this.pointer = pointer;
  }
}

/** A file cannot be read as a document; the message explains why to its owner. */
export class UnreadableFileError extends TesseraError {
  readonly code = 'unreadable-file';
}

/** A document has more blocks or sentences than one thread reads in seconds. */
export class TooManySentencesError extends TesseraError {
  readonly code = 'limit-exceeded';
}
