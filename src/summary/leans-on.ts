import type { SelectedPoint } from './input.ts';
import { labelOf, leanOf } from './sentence-text.ts';

/** What stands between two sentences that follow each other: white space, the mark of a list. In UTF-16 units. */
const NEXT = 8;
/** Room for the name of who speaks, but for no sentence that a pronoun could stand for something of. In UTF-16 units. */
const NO_SENTENCE = 40;
/** Within this, points of a document belong to one subject. In UTF-16 units. */
const NEAR = 300;

type Placed = Pick<SelectedPoint, 'document' | 'quote'>;

/** Whether a point follows another in its document straight on. */
export function isNextTo(point: Placed, before: Placed): boolean {
  return isWithin(NEXT, point, before);
}

/** Whether a point stands close behind another in its document. */
export function isNear(point: Placed, before: Placed): boolean {
  return isWithin(NEAR, point, before);
}

/**
 * For every point the index of the point that it is to be told directly after, since it leans on it; -1 if it leans on
 * none of them. A sentence that only opens with "However, …" leans on the very sentence before it, one that opens with
 * "They …" on it too, whoever speaks between, and the item of a list on the one before it.
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

/** Whether a point, told after anything but what it leans on, leaves open what it is about. */
export function isLostAlone(point: SelectedPoint): boolean {
  return leanOf(point).isLost && labelOf(point) === null;
}

function isWithin(distance: number, point: Placed, before: Placed): boolean {
  const gap = point.quote.start - before.quote.end;
  return point.document === before.document && gap >= 0 && gap <= distance;
}

/** The nearest point of the same document that ends before each. */
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
