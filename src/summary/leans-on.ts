import type { SelectedPoint } from './input.ts';
import { labelOf, leanOf, type Shown } from './sentence-text.ts';

/** Maximum gap between consecutive sentences: white space and a list mark. In UTF-16 units. */
const NEXT = 8;
/** Maximum gap that may hold a speaker's name but no sentence that a pronoun could refer to. In UTF-16 units. */
const NO_SENTENCE = 40;
/** Points of a document within this distance share a subject. In UTF-16 units. */
const NEAR = 300;

type Placed = Pick<SelectedPoint, 'document' | 'quote'>;
type Leaning = Placed & Shown;

export function isNextTo(point: Placed, before: Placed | null): boolean {
  return before !== null && isWithin(NEXT, point, before);
}

export function isNear(point: Placed, before: Placed): boolean {
  return isWithin(NEAR, point, before);
}

/**
 * For every point the index of the point that it must follow, or -1. "However, …" leans on the sentence directly before
 * it; "They …" too, even if the speaker changes; a list item leans on the item before it.
 */
export function leansOn(points: readonly Leaning[]): number[] {
  const found = points.map(() => -1);
  const order = [...points.keys()].sort(
    (a, b) =>
      compareTexts(points[a].document, points[b].document) || points[a].quote.start - points[b].quote.start || a - b,
  );
  for (const [place, index] of order.slice(1).entries()) {
    const earlier = order[place];
    const [point, other] = [points[index], points[earlier]];
    if (!isWithin(Number.POSITIVE_INFINITY, point, other)) continue;
    const { leans, isLost } = leanOf(point);
    const label = labelOf(point);
    const isLeaning = leans && isWithin(isLost ? NO_SENTENCE : NEXT, point, other);
    if (isLeaning || (label !== null && label === labelOf(other))) found[index] = earlier;
  }
  return found;
}

export function isLostAlone(point: Shown): boolean {
  return leanOf(point).isLost && labelOf(point) === null;
}

function isWithin(distance: number, point: Placed, before: Placed): boolean {
  const gap = point.quote.start - before.quote.end;
  return point.document === before.document && gap >= 0 && gap <= distance;
}

/** By code units, so that no locale decides. */
export function compareTexts(a = '', b = ''): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
