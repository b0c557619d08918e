import { TesseraError } from '../text/index.ts';

/** What was sent cannot be scored: nothing to compare with, one id twice, a weight that is none. */
export class InvalidEvaluationError extends TesseraError {
  readonly code = 'invalid-evaluation';
  override readonly pointer: string;

  constructor(pointer: string, message: string) {
    super(message);
    this.pointer = pointer;
  }
}

/**
 * Refuses ids of which one comes twice: what refers to it would be ambiguous.
 *
 * @param pointerTo JSON pointer to the id at a place
 * @throws InvalidEvaluationError at the second of them
 */
export function checkUnique(ids: readonly string[], pointerTo: (place: number) => string): void {
  const seen = new Set<string>();
  for (const [place, id] of ids.entries()) {
    if (seen.has(id)) throw new InvalidEvaluationError(pointerTo(place), 'is a duplicate id');
    seen.add(id);
  }
}

/**
 * Refuses texts without anything to read.
 *
 * @param pointerTo JSON pointer to the text at a place
 * @throws InvalidEvaluationError at the first of them
 */
export function checkNotBlank(texts: readonly string[], pointerTo: (place: number) => string): void {
  const place = texts.findIndex((text) => text.trim() === '');
  if (place >= 0) throw new InvalidEvaluationError(pointerTo(place), 'is blank');
}
