import { SENTENCE_EXTRACTOR_ID } from '../keypoints/extract-sentences.ts';
import type { DigestDocument, DigestKeyPoint } from './digest.ts';
import type { DigestParts } from './digest-parts.ts';
import { pointsOf } from './points.ts';
import { documentStatus, readDocuments } from './read-documents.ts';
import type { DigestRequest } from './request.ts';

/** The answer to a request for extraction alone. */
export interface KeyPoints {
  readonly keyPoints: readonly (Pick<DigestKeyPoint, 'id' | 'document' | 'text' | 'speaker' | 'quote'> & {
    readonly selfContained: number;
  })[];
  readonly documents: readonly DigestDocument[];
  readonly engine: { readonly extractor: string };
  readonly usage: { readonly reusedExtractions: number };
  readonly offsetUnit: 'utf16';
}

/** Extraction alone, by the same steps and the same store as a digest's. */
export async function extractKeyPoints(
  request: Pick<DigestRequest, 'documents'>,
  parts: DigestParts,
): Promise<KeyPoints> {
  const { documents, reused } = await readDocuments(request.documents, {}, parts, () => {});
  return {
    keyPoints: pointsOf(documents).map(({ id, document, text, speaker, quote, selfContained }) => ({
      id,
      document,
      text,
      speaker: speaker ?? null,
      quote: { ...quote, status: 'exact' },
      selfContained,
    })),
    documents: documents.map(documentStatus),
    engine: { extractor: SENTENCE_EXTRACTOR_ID },
    usage: { reusedExtractions: reused },
    offsetUnit: 'utf16',
  };
}
