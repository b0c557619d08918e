import type { SummarySentence } from '../../contract/index.ts';
import { chunks, groupBy, groups, utf8Length } from '../../text/index.ts';
import type { DescribedDocument, Passage } from '../input.ts';
import type { Outline } from '../outline.ts';
import { sentenceText } from '../sentence-text.ts';
import { isQuoted, passageOf, quotedText } from '../verify/hold-points.ts';

export interface NumberedPoint {
  readonly number: number;
  readonly text: string;
  readonly document: string;
  readonly own: SummarySentence;
  readonly isWorded: boolean;
  readonly quoteText: string;
  /** The sentence in the wording of its quote, if a language model worded the point; null otherwise. */
  readonly quoted: SummarySentence | null;
  readonly passage: Passage;
  readonly helps: boolean;
}

export interface Material {
  readonly points: readonly NumberedPoint[];
  readonly ranked: readonly NumberedPoint[];
}

export function materialOf({ points, sentences }: Outline, documents: readonly DescribedDocument[]): Material {
  const byId = new Map(documents.map((document) => [document.id, document]));
  const places = new Map(documents.map(({ id }, place) => [id, place]));
  const placeOf = (index: number): number => places.get(points[index].document) ?? documents.length;
  const order = [...points.keys()].sort(
    (a, b) => placeOf(a) - placeOf(b) || points[a].quote.start - points[b].quote.start || a - b,
  );
  const numbered = new Map(order.map((index, place) => [index, place + 1]));
  const ranked = points.map((point, index): NumberedPoint => {
    const own = sentences[index];
    const passage = passageOf(point, byId.get(point.document));
    const isOwn = point.isWorded !== true || isQuoted(point.text, [passage]);
    return {
      number: numbered.get(index) ?? 0,
      text: point.text,
      document: point.document,
      isWorded: point.isWorded === true,
      quoteText: quotedText(point),
      own,
      quoted: isOwn ? null : { ...own, text: sentenceText({ ...point, text: quotedText(point) }) },
      passage,
      helps: point.helps ?? true,
    };
  });
  return { points: ranked.toSorted((a, b) => a.number - b.number), ranked };
}

export function byDocument(points: readonly NumberedPoint[]): (readonly NumberedPoint[])[] {
  return [...groupBy(points, ({ document }) => document).values()];
}

/** Bytes of a point's line besides its text: number, speaker and share of the document heading. */
const LINE_BYTES = 24;

/** Splits points into parts within the prompt's limits on bytes and points; keeps documents together if possible. */
export function inParts(
  points: readonly NumberedPoint[],
  bytes: number,
  maxPoints: number,
): (readonly NumberedPoint[])[] {
  const rows = byDocument(points).flatMap((own) => [...chunks(own, maxPoints)]);
  const parts = groups(rows, bytes, (row, part) =>
    part.flat().length + row.length > maxPoints
      ? Number.POSITIVE_INFINITY
      : row.reduce((sum, { text }) => sum + utf8Length(text) + LINE_BYTES, 0),
  );
  return Array.from(parts, (part) => part.flat());
}
