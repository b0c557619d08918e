import { contentHash } from '../documents/content-hash.ts';
import { SENTENCE_EXTRACTOR_ID } from '../keypoints/extract-sentences.ts';
import type { ExtractedKeyPoint } from '../keypoints/key-point.ts';
import type { Quote } from '../summary/summary.ts';
import type { ReadDocument } from './read-documents.ts';

/** A key point of a request: an extracted statement that knows its document. */
export interface Point extends ExtractedKeyPoint {
  readonly id: string;
  /** Index of its document among the documents read. */
  readonly documentIndex: number;
  readonly document: string;
  readonly quote: Quote;
}

/** All key points in canonical order: content hash of the document, its id, start. */
export function pointsOf(documents: readonly ReadDocument[]): Point[] {
  return documents.flatMap(({ document, extraction }, documentIndex) =>
    (extraction?.keyPoints ?? []).map((keyPoint) => {
      const { start, end } = keyPoint;
      return {
        ...keyPoint,
        id: `kp_${contentHash(JSON.stringify([document.id, start, end, SENTENCE_EXTRACTOR_ID])).slice(0, 24)}`,
        documentIndex,
        document: document.id,
        quote: { text: document.text.slice(start, end), start, end },
      };
    }),
  );
}

/** What an encoder reads of a point: who speaks is part of what is said. */
export function encodedText({ text, speaker }: Pick<Point, 'text' | 'speaker'>): string {
  return speaker === undefined ? text : `${speaker}: ${text}`;
}
