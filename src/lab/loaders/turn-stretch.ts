import type { Span } from '../../text/index.ts';

/** From one turn to another, both of them included, counted from 0. */
type TurnStretch = readonly [from: number, to: number];

/** What is wrong with a stretch of so many turns; null where nothing is. */
export function problemOfStretch([from, to]: TurnStretch, turns: number): string | null {
  if (to >= turns) return `ends with turn ${to}, and the last of the meeting is turn ${turns - 1}`;
  return from > to ? 'ends before it begins' : null;
}

/** Where a stretch stands: from the start of its first turn to the end of its last. */
export function spanOfStretch([from, to]: TurnStretch, turns: readonly Span[]): Span {
  return { start: turns[from].start, end: turns[to].end };
}
