import { contentHash } from '../documents/content-hash.ts';
import type { SourceDocument } from '../documents/document.ts';
import { SENTENCE_EXTRACTOR_ID } from '../keypoints/extract-sentences.ts';
import { saveDocuments } from '../store/documents.ts';
import { readExtractions, type StoredExtraction, saveExtractions } from '../store/extractions.ts';
import { type DateWindow, isWithin } from './date-window.ts';
import type { DigestDocument } from './digest.ts';
import type { DigestParts } from './digest-parts.ts';
import type { Extraction } from './engine.ts';

/** One document of a request, with what was extracted from it. */
export interface ReadDocument {
  readonly document: SourceDocument;
  readonly hash: string;
  readonly status: DigestDocument['status'];
  readonly error: DigestDocument['error'];
  /** Null where nothing was extracted. */
  readonly extraction: Extraction | null;
}

export interface ReadDocuments {
  /** In canonical order: content hash, then id. */
  readonly documents: readonly ReadDocument[];
  readonly reused: number;
}

/**
 * Extracts the key points of every document inside the window that the store does not hold yet (promise P9). A document
 * that fails is reported and does not sink the rest (P7); its failure is not stored.
 */
export async function readDocuments(
  documents: readonly SourceDocument[],
  window: DateWindow,
  { database, engine, reportFailure }: DigestParts,
  onProgress: (done: number, total: number) => void,
): Promise<ReadDocuments> {
  const hashed = documents.map((document) => ({ document, hash: contentHash(document.text) }));
  const isRead = ({ document }: { document: SourceDocument }): boolean =>
    isWithin(document, window) && document.text.trim() !== '';
  const wanted = new Map(hashed.filter(isRead).map(({ document, hash }) => [hash, document.text]));
  await saveDocuments(
    database,
    [...wanted].map(([hash, text]) => ({ hash, text })),
  );
  const stored = await readExtractions(database, SENTENCE_EXTRACTOR_ID, [...wanted.keys()]);

  const extractions = new Map([...stored].map(([hash, row]) => [hash, parse(row)]));
  const failures = new Map<string, unknown>();
  const missing = [...wanted].filter(([hash]) => !stored.has(hash));
  let done = 0;
  if (missing.length === 0) onProgress(wanted.size, wanted.size);
  await Promise.all(
    missing.map(async ([hash, text]) => {
      try {
        extractions.set(hash, await engine.extract(text));
      } catch (failure) {
        failures.set(hash, failure);
        reportFailure(failure, { stage: 'extract', document: hash });
      }
      onProgress(++done, missing.length);
    }),
  );
  const fresh = missing.flatMap(([hash]) => {
    const extraction = extractions.get(hash);
    return extraction === undefined
      ? []
      : [{ documentHash: hash, ...extraction, keyPoints: JSON.stringify(extraction.keyPoints) }];
  });
  await saveExtractions(database, SENTENCE_EXTRACTOR_ID, fresh);

  const read = hashed.map(({ document, hash }): ReadDocument => {
    const extraction = extractions.get(hash) ?? null;
    if (!isWithin(document, window)) return { document, hash, status: 'excluded', error: null, extraction: null };
    if (failures.has(hash)) return { document, hash, status: 'failed', error: EXTRACTION_FAILED, extraction: null };
    const status = extraction === null || extraction.keyPoints.length === 0 ? 'empty' : 'ok';
    return { document, hash, status, error: null, extraction };
  });
  return { documents: read.sort(canonical), reused: hashed.filter(({ hash }) => stored.has(hash)).length };
}

/** The cause is reported to the service, not to the caller. */
const EXTRACTION_FAILED = { code: 'extraction-failed', message: 'No key points could be read from this document.' };

function parse({ keyPoints, language, words }: StoredExtraction): Extraction {
  return { keyPoints: JSON.parse(keyPoints), language, words };
}

function canonical(a: ReadDocument, b: ReadDocument): number {
  if (a.hash !== b.hash) return a.hash < b.hash ? -1 : 1;
  return a.document.id < b.document.id ? -1 : 1;
}

/** A document as the answer reports it. */
export function documentStatus({ document, status, extraction, error }: ReadDocument): DigestDocument {
  return { id: document.id, status, keyPoints: extraction?.keyPoints.length ?? 0, error };
}
