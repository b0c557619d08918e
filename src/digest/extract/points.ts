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

export interface Point extends Omit<ExtractedKeyPoint, 'moreQuotes' | 'status'> {
  readonly id: string;
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
    // Listing the fields is several times faster than spreading many thousand points.
    return (extraction?.keyPoints ?? []).map(
      ({ start, end, text, selfContained, speaker, under, status = 'exact', moreQuotes = [] }): Point => ({
        start,
        end,
        text,
        selfContained,
        speaker,
        under,
        // A place identifies a sentence, but a model may find two statements in one place.
        id: keyPointId(document.id, start, end, extractor, ...(extractor === SENTENCE_EXTRACTOR_ID ? [] : [text])),
        documentIndex,
        document: document.id,
        quote: quoteAt(start, end, status),
        moreQuotes: moreQuotes.map((quote) => quoteAt(quote.start, quote.end, quote.status)),
      }),
    );
  });
}

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

/** The title and headings above each point, as text and as the mean of their vectors. */
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

function meanOf(vectors: readonly Float32Array[]): Float32Array {
  return vectors[0].map((_, c) => vectors.reduce((sum, vector) => sum + vector[c], 0) / vectors.length);
}

/** Factor on the relevance of a point: the document's weight times its standalone score. */
export function qualityOf(
  { documentIndex, selfContained }: Pick<Point, 'documentIndex' | 'selfContained'>,
  documents: readonly Pick<ReadDocument, 'document'>[],
): number {
  return (documents[documentIndex].document.weight ?? 1) * selfContained ** DEPENDENCE;
}

const DEPENDENCE = 2;
