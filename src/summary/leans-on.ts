import type { SelectedPoint } from './input.ts';
import { labelOf, leanOf } from './sentence-text.ts';

/** Maximum gap between consecutive sentences: white space and a list mark. In UTF-16 units. */
const NEXT = 8;
/** Maximum gap that may hold a speaker's name but no sentence that a pronoun could refer to. In UTF-16 units. */
const NO_SENTENCE = 40;
/** Points of a document within this distance share a subject. In UTF-16 units. */
const NEAR = 300;

type Placed = Pick<SelectedPoint, 'document' | 'quote'>;

export function isNextTo(point: Placed, before: Placed): boolean {
  return isWithin(NEXT, point, before);
}

export function isNear(point: Placed, before: Placed): boolean {
  return isWithin(NEAR, point, before);
}

/**
 * For every point the index of the point that it must follow, or -1. "However, …" leans on the sentence directly before
 * it; "They …" too, even if the speaker changes; a list item leans on the item before it.
 */
export function leansOn(points: readonly SelectedPoint[]): number[] {
  const before = precedingIn(points);
  return points.map((point, index) => {
    const earlier = before[index] ?? -1;
    const other = points[earlier];
    if (other === undefined) return -1;
    const { leans, isLost } = leanOf(point);
    if (leans && isWithin(isLost ? NO_SENTENCE : NEXT, point, other)) return earlier;
    const label = labelOf(point);
    return label !== null && label === labelOf(other) ? earlier : -1;
  });
}

export function isLostAlone(point: SelectedPoint): boolean {
  return leanOf(point).isLost && labelOf(point) === null;
}

function isWithin(distance: number, point: Placed, before: Placed): boolean {
  const gap = point.quote.start - before.quote.end;
  return point.document === before.document && gap >= 0 && gap <= distance;
}

function precedingIn(points: readonly SelectedPoint[]): number[] {
  const found = points.map(() => -1);
  const order = [...points.keys()].sort(
    (a, b) =>
      compareTexts(points[a]?.document, points[b]?.document) || startOf(points[a]) - startOf(points[b]) || a - b,
  );
  order.forEach((index, place) => {
    const [point, earlier = -1] = [points[index], order[place - 1]];
    const other = points[earlier];
    if (point && other && other.document === point.document && other.quote.end <= point.quote.start) {
      found[index] = earlier;
    }
  });
  return found;
}

function startOf(point: Placed | undefined): number {
  return point?.quote.start ?? 0;
}

/** By code units, so that no locale decides. */
export function compareTexts(a = '', b = ''): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
