/** A file cannot be read; the message says why, to its owner. */
export class UnreadableError extends Error {
  override readonly name = 'UnreadableError';
}
