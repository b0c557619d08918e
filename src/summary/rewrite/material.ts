import type { SummarySentence } from '../../contract/index.ts';
import { chunks, escapeMarkers, groupBy, groups, utf8Length } from '../../text/index.ts';
import type { Citable, DescribedDocument, Passage } from '../input.ts';
import { citePoint, type Outline } from '../outline.ts';
import { sentenceText } from '../sentence-text.ts';
import { isQuoted, passageOf, quotedText } from '../verify/hold-points.ts';

export interface NumberedPoint {
  readonly number: number;
  readonly text: string;
  readonly document: string;
  readonly start: number;
  readonly own: SummarySentence;
  readonly isWorded: boolean;
  readonly quoteText: string;
  /** The sentence in the wording of its quote, if a language model worded the point; null otherwise. */
  readonly quoted: SummarySentence | null;
  readonly passage: Passage;
  readonly helps: boolean;
  readonly alike: number;
}

export interface Material {
  /** All that can be cited, by number. */
  readonly points: readonly NumberedPoint[];
  /** The selected ones, by rank. */
  readonly ranked: readonly NumberedPoint[];
  /** The documents, if the writer reads them whole. */
  readonly documents: readonly WholeDocument[] | null;
}

interface WholeDocument {
  readonly described: DescribedDocument;
  /** Its text, with the number of each point before it. */
  readonly text: string;
}

/** @param others all else that can be cited, if the writer reads the documents whole */
export function materialOf(
  outline: Outline,
  documents: readonly DescribedDocument[],
  others: readonly Citable[] | undefined,
): Material {
  const points = [...outline.points, ...(others ?? [])];
  const sentences = [...outline.sentences, ...(others ?? []).map(citedAlone)];
  const byId = new Map(documents.map((document) => [document.id, document]));
  const places = new Map(documents.map(({ id }, place) => [id, place]));
  const placeOf = (index: number): number => places.get(points[index].document) ?? documents.length;
  const order = [...points.keys()].sort(
    (a, b) => placeOf(a) - placeOf(b) || points[a].quote.start - points[b].quote.start || a - b,
  );
  const numberOf = new Map(order.map((index, place) => [index, place + 1]));
  const all = points.map((point, index): NumberedPoint => {
    const own = sentences[index];
    const passage = passageOf(point, byId.get(point.document));
    const isOwn = point.isWorded !== true || isQuoted(point.text, [passage]);
    return {
      number: numberOf.get(index) ?? 0,
      text: point.text,
      document: point.document,
      start: point.quote.start,
      isWorded: point.isWorded === true,
      quoteText: quotedText(point),
      own,
      quoted: isOwn ? null : { ...own, text: sentenceText({ ...point, text: quotedText(point) }) },
      passage,
      helps: point.helps ?? true,
      alike: point.alike ?? 0,
    };
  });
  const numbered = all.toSorted((a, b) => a.number - b.number);
  return {
    points: numbered,
    ranked: all.slice(0, outline.points.length),
    documents: others === undefined ? null : wholeDocuments(documents, numbered),
  };
}

function citedAlone({ id, ...point }: Citable): SummarySentence {
  const sentence = citePoint({ ...point, id: '', supports: [] });
  return { ...sentence, keyPoints: id === null ? [] : [id] };
}

function wholeDocuments(documents: readonly DescribedDocument[], points: readonly NumberedPoint[]): WholeDocument[] {
  const own = groupBy(points, ({ document }) => document);
  return documents.map((described) => {
    const { id, text = '' } = described;
    const pieces: string[] = [];
    let at = 0;
    for (const { number, start } of own.get(id) ?? []) {
      pieces.push(escapeMarkers(text.slice(at, start)), `[${number}] `);
      at = start;
    }
    return { described, text: [...pieces, escapeMarkers(text.slice(at))].join('') };
  });
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
