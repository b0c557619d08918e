/**
 * The base of every failure that Tessera names. Domain code throws small subclasses with their facts as fields;
 * only `http/problem.ts` knows which status they answer with.
 */
export abstract class TesseraError extends Error {
  /** Stable machine-readable name, kebab-case; becomes the problem's `type`. */
  abstract readonly code: string;
  /** JSON pointer to what is at fault in the request, where one field is. */
  readonly pointer: string | null = null;

  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = new.target.name;
  }
}

/** A file cannot be read as a document; the message says why, to its owner. */
export class UnreadableFileError extends TesseraError {
  readonly code = 'unreadable-file';
}
