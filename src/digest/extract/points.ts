import type { PointQuote } from '../../contract/index.ts';
import { quotedText } from '../../summary/index.ts';
import {
  contentHash,
  type ExtractedKeyPoint,
  type FoundQuote,
  SENTENCE_EXTRACTOR_ID,
  type UnverifiedKeyPoint,
} from '../../text/index.ts';
import type { ReadDocuments } from './read-documents.ts';

/** A key point of a request: an extracted statement that knows its document. */
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
    // One by one: spreading the fields of many thousand points takes several times as long.
    return (extraction?.keyPoints ?? []).map(
      ({ start, end, text, selfContained, speaker, under, status = 'exact', moreQuotes = [] }): Point => ({
        start,
        end,
        text,
        selfContained,
        speaker,
        under,
        // Sentences are told apart by where they are; a model may find two statements in one place.
        id: keyPointId(document.id, start, end, extractor, ...(extractor === SENTENCE_EXTRACTOR_ID ? [] : [text])),
        documentIndex,
        document: document.id,
        quote: quoteAt(start, end, status),
        moreQuotes: moreQuotes.map((quote) => quoteAt(quote.start, quote.end, quote.status)),
      }),
    );
  });
}

/** What a model says of a document, with a quote that it does not hold. */
export interface UnverifiedPoint extends UnverifiedKeyPoint {
  readonly id: string;
  readonly document: string;
}

/** Key points without a quote, in canonical order. */
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

/** A point in the words of its document, whatever a language model made of them. */
export function quoted(point: Point): Point {
  return { ...point, text: quotedText(point) };
}

/** What an encoder reads of a point: who speaks is part of what is said. */
export function encodedText({ text, speaker }: Pick<Point, 'text' | 'speaker'>): string {
  return speaker === undefined ? text : `${speaker}: ${text}`;
}
