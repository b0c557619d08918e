import type { PointQuote } from '../../contract/index.ts';
import { type Encoder, encodeTexts, type WorkCache } from '../../models/index.ts';
import type { RelevanceInput } from '../../selection/index.ts';
import { quotedText } from '../../summary/index.ts';
import {
  contentHash,
  type ExtractedKeyPoint,
  type FoundQuote,
  SENTENCE_EXTRACTOR_ID,
  type UnverifiedKeyPoint,
} from '../../text/index.ts';
import type { ReadDocument, ReadDocuments } from './read-documents.ts';

/** A key point of a request. */
export interface Point extends Omit<ExtractedKeyPoint, 'moreQuotes' | 'status'> {
  readonly id: string;
  /** Index of its document among the documents read. */
  readonly documentIndex: number;
  readonly document: string;
  readonly quote: PointQuote;
  readonly moreQuotes: readonly PointQuote[];
}

/** All key points in canonical order: content hash of the document, its id, start. */
export function pointsOf({ documents, extractor }: Pick<ReadDocuments, 'documents' | 'extractor'>): Point[] {
  return documents.flatMap(({ document, extraction }, documentIndex) => {
    const quoteAt = (start: number, end: number, status: FoundQuote['status']): PointQuote => ({
      text: document.text.slice(start, end),
      start,
      end,
      status,
    });
    // Field by field: spreading many thousand points takes several times as long.
    return (extraction?.keyPoints ?? []).map(
      ({ start, end, text, selfContained, speaker, under, status = 'exact', moreQuotes = [] }): Point => ({
        start,
        end,
        text,
        selfContained,
        speaker,
        under,
        // A sentence is identified by its place; a model may find two statements in one place.
        id: keyPointId(document.id, start, end, extractor, ...(extractor === SENTENCE_EXTRACTOR_ID ? [] : [text])),
        documentIndex,
        document: document.id,
        quote: quoteAt(start, end, status),
        moreQuotes: moreQuotes.map((quote) => quoteAt(quote.start, quote.end, quote.status)),
      }),
    );
  });
}

/** A statement of a model whose quote is not in the document. */
export interface UnverifiedPoint extends UnverifiedKeyPoint {
  readonly id: string;
  readonly document: string;
}

export function unverifiedOf({
  documents,
  extractor,
}: Pick<ReadDocuments, 'documents' | 'extractor'>): UnverifiedPoint[] {
  return documents.flatMap(({ document, extraction }) =>
    (extraction?.unverified ?? []).map(({ text, quote }) => ({
      id: keyPointId(document.id, null, null, extractor, text, quote),
      document: document.id,
      text,
      quote,
    })),
  );
}

function keyPointId(...identity: readonly (string | number | null)[]): string {
  return `kp_${contentHash(JSON.stringify(identity)).slice(0, 24)}`;
}

export function quoted(point: Point): Point {
  return { ...point, text: quotedText(point) };
}

/** The text of a point for encoders; the speaker is part of it. */
export function encodedText({ text, speaker }: Pick<Point, 'text' | 'speaker'>): string {
  return speaker === undefined ? text : `${speaker}: ${text}`;
}

/** The document title and headings above each point, as text and as the mean of their vectors. */
export async function pointSettings(
  points: readonly Pick<Point, 'documentIndex' | 'under'>[],
  documents: readonly Pick<ReadDocument, 'document'>[],
  encoder: Encoder,
  cache: WorkCache,
): Promise<RelevanceInput['under']> {
  const linesOf = ({ documentIndex, under = [] }: (typeof points)[number]): string[] => {
    const title = documents[documentIndex].document.title?.trim() ?? '';
    return title === '' ? [...under] : [title, ...under];
  };
  const distinct = [...new Set(points.flatMap(linesOf))];
  if (distinct.length === 0) return points.map(() => null);
  const { sentences } = await encodeTexts(encoder, cache, distinct);
  const vectorOf = new Map(distinct.map((line, i) => [line, sentences[i]]));
  const made = new Map<string, { readonly text: string; readonly vector: Float32Array }>();
  return points.map((point) => {
    const lines = linesOf(point);
    if (lines.length === 0) return null;
    const text = lines.join('\n');
    const known = made.get(text) ?? { text, vector: meanOf(lines.flatMap((line) => vectorOf.get(line) ?? [])) };
    made.set(text, known);
    return known;
  });
}

/** @param vectors at least one */
function meanOf(vectors: readonly Float32Array[]): Float32Array {
  return vectors[0].map((_, c) => vectors.reduce((sum, vector) => sum + vector[c], 0) / vectors.length);
}

/** The factor on the relevance of a point: its document's weight times how well it stands alone. */
export function qualityOf(
  { documentIndex, selfContained }: Pick<Point, 'documentIndex' | 'selfContained'>,
  documents: readonly Pick<ReadDocument, 'document'>[],
): number {
  return (documents[documentIndex].document.weight ?? 1) * selfContained ** DEPENDENCE;
}

/** A point that stands alone to 0.8 counts as 0.64. */
const DEPENDENCE = 2;
