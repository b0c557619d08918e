import type { SummarySentence } from '../../contract/index.ts';
import { chunks, groupBy, groups, utf8Length } from '../../text/index.ts';
import type { DescribedDocument, Passage } from '../input.ts';
import type { Outline } from '../outline.ts';
import { sentenceText } from '../sentence-text.ts';
import { isQuoted, passageOf, quotedText } from '../verify/hold-points.ts';

/** A key point as a writer sees and cites it. */
export interface NumberedPoint {
  readonly number: number;
  /** As it was worded, without who speaks. */
  readonly text: string;
  readonly document: string;
  /** In its own wording, cited. */
  readonly own: SummarySentence;
  /** Whether a language model worded it. */
  readonly isWorded: boolean;
  /** The wording of its quote, without who speaks. */
  readonly quoteText: string;
  /** In the wording of its quote, if its own is a language model's; null if that is the quote's. */
  readonly quoted: SummarySentence | null;
  /** What a sentence that cites it has to rest on. */
  readonly passage: Passage;
  /** Whether it is relevant enough to be told where the writer passes it over. */
  readonly helps: boolean;
}

/** What a writer writes from: the points of each document together, in their order there. */
export interface Material {
  /** By number, from 1. */
  readonly points: readonly NumberedPoint[];
  /** The same, the best first. */
  readonly ranked: readonly NumberedPoint[];
}

/** Numbers the points of an outline, document by document, in the order in which the documents are given. */
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

/** The points of each document together. */
export function byDocument(points: readonly NumberedPoint[]): (readonly NumberedPoint[])[] {
  return [...groupBy(points, ({ document }) => document).values()];
}

/** Bytes of a point's line beside its text: number, speaker and its share of the document's heading. */
const LINE_BYTES = 24;

/** Parts of the points that each fit a prompt of so many bytes, and so many points; those of a document stay together where they can. */
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
