import { TesseraError } from '../text/index.ts';

/** The input cannot be scored: nothing to compare with, a duplicate id or an invalid weight. */
export class InvalidEvaluationError extends TesseraError {
  readonly code = 'invalid-evaluation';
  override readonly pointer: string;

  constructor(pointer: string, message: string) {
    super(message);
    this.pointer = pointer;
  }
}

/**
 * Rejects duplicate ids, which make references ambiguous.
 * @param pointerTo JSON pointer to the id at a place
 * @throws InvalidEvaluationError at the first duplicate
 */
export function checkUnique(ids: readonly string[], pointerTo: (place: number) => string): void {
  const seen = new Set<string>();
  for (const [place, id] of ids.entries()) {
    if (seen.has(id)) throw new InvalidEvaluationError(pointerTo(place), 'is a duplicate id');
    seen.add(id);
  }
}

/**
 * Rejects blank texts.
 * @param pointerTo JSON pointer to the text at a place
 * @throws InvalidEvaluationError at the first of them
 */
export function checkNotBlank(texts: readonly string[], pointerTo: (place: number) => string): void {
  const place = texts.findIndex((text) => text.trim() === '');
  if (place >= 0) throw new InvalidEvaluationError(pointerTo(place), 'is blank');
}
