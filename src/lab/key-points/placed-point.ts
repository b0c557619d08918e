import type { PassageSpan } from '../benchmark-set.ts';

/** A key point with the words of documents that state it, at least one stretch, in the order of the documents. */
export interface PlacedPoint {
  readonly text: string;
  readonly spans: readonly PassageSpan[];
}

/** Places of documents in their collection, by id. */
export type DocumentOrder = ReadonlyMap<string, number>;

/** By document, as the collection has them, then by place. */
function compareSpans(order: DocumentOrder): (a: PassageSpan, b: PassageSpan) => number {
  const placeOf = ({ document }: PassageSpan): number => order.get(document) ?? order.size;
  return (a, b) => placeOf(a) - placeOf(b) || a.start - b.start || a.end - b.end;
}

/** By their first spans; points of one place by their texts. */
export function comparePoints(order: DocumentOrder): (a: PlacedPoint, b: PlacedPoint) => number {
  const compare = compareSpans(order);
  return (a, b) => compare(a.spans[0], b.spans[0]) || (a.text < b.text ? -1 : Number(a.text > b.text));
}

/** All spans of some points, each once, in order. */
export function spansOf(points: readonly PlacedPoint[], order: DocumentOrder): PassageSpan[] {
  const spans = points.flatMap((point) => point.spans);
  const distinct = new Map(spans.map((span) => [JSON.stringify([span.document, span.start, span.end]), span]));
  return [...distinct.values()].sort(compareSpans(order));
}
