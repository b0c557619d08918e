import type { Citation } from '../contract/index.ts';
import type { ComposeInput, SelectedPoint } from './compose-input.ts';
import { spelt } from './sentence-text.ts';

/** Whether a quote lies within another of its document. */
export function liesWithin(inner: Citation, outer: Citation): boolean {
  const [a, b] = [inner.quote, outer.quote];
  return inner.document === outer.document && b.start <= a.start && a.end <= b.end;
}

/** Whether a text holds the words of another in a row. */
export function holdsWords(text: string, words: string): boolean {
  return ` ${spelt(text)} `.includes(` ${spelt(words)} `);
}

/**
 * Joins points that would print the same words of a document twice, as points do that a language model found in one sentence
 * once each is told by its quote: the one whose quote holds the other's is told, and cited for both.
 */
export function quotedOnce(input: ComposeInput): ComposeInput {
  const { points, similarity } = input;
  const n = points.length;
  const merged = new Map<number, SelectedPoint>();
  let open: (readonly [index: number, point: SelectedPoint])[] = [];
  for (const index of inReadingOrder(points)) {
    const point = points[index];
    open = open.filter(([, { document, quote }]) => document === point.document && quote.end > point.quote.start);
    const home = open.find(([, other]) => isPartOf(point, other))?.[0];
    const other = home === undefined ? undefined : merged.get(home);
    if (home === undefined || other === undefined) {
      merged.set(index, point);
      open.push([index, point]);
    } else merged.set(home, joined(other, point));
  }
  if (merged.size === n) return input;
  const kept = [...merged.keys()].sort((a, b) => a - b);
  return {
    ...input,
    points: kept.map((index) => merged.get(index) ?? points[index]),
    similarity: Float64Array.from(kept.flatMap((a) => kept.map((b) => similarity[a * n + b]))),
  };
}

/** Indices of points: document by document, a quote before those that lie within it. */
function inReadingOrder(points: readonly SelectedPoint[]): number[] {
  const place = new Map(points.map(({ document }, index) => [document, index]));
  const documentOf = (index: number): number => place.get(points[index].document) ?? 0;
  return [...points.keys()].sort((a, b) => {
    const [one, other] = [points[a].quote, points[b].quote];
    return documentOf(a) - documentOf(b) || one.start - other.start || other.end - one.end || a - b;
  });
}

function isPartOf(point: SelectedPoint, other: SelectedPoint): boolean {
  return point.speaker === other.speaker && liesWithin(point, other) && holdsWords(other.text, point.text);
}

/** The first with the second as one that it states; who says the second says the first only where both are worded alike. */
function joined(point: SelectedPoint, part: SelectedPoint): SelectedPoint {
  const { id, document, quote, text, speaker } = part;
  const alike = spelt(text) === spelt(point.text) ? part.supports : [];
  return {
    ...point,
    rank: Math.min(point.rank, part.rank),
    supports: [{ keyPoint: id, document, quote, similarity: 1, text, speaker }, ...point.supports, ...alike],
  };
}
