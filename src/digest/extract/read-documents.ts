import pLimit from 'p-limit';
import type { DigestDocument } from '../../contract/index.ts';
import { ModelCallError, type StoredExtraction, type WorkCache } from '../../models/index.ts';
import { contentHash, type SourceDocument, TesseraError } from '../../text/index.ts';
import type { EarlierReading, RequestDocument } from '../request.ts';
import type { DigestDeps } from '../run.ts';
import type { ExtractionOutcome, Extractor } from './extractor.ts';

const underWay = new WeakMap<WorkCache['source'], Map<string, Promise<unknown>>>();

/** Shares work between concurrent callers; the others retry work that fails. `name` identifies everything that the result depends on. */
export async function singleFlight<T>(cache: WorkCache, name: string, work: () => Promise<T>): Promise<T> {
  if (cache.share !== undefined) return cache.share(name, work);
  const all = underWay.get(cache.source) ?? new Map<string, Promise<unknown>>();
  underWay.set(cache.source, all);
  const key = JSON.stringify([cache.scope, name]);
  for (let other = all.get(key); other !== undefined; other = all.get(key)) {
    const [outcome] = await Promise.allSettled([other]);
    // The same key means the same work, whose result has this type.
    if (outcome.status === 'fulfilled') return outcome.value as T;
  }
  const own = work();
  all.set(key, own);
  try {
    return await own;
  } finally {
    all.delete(key);
  }
}

export interface ReadDocument {
  readonly document: RequestDocument;
  readonly place: number;
  readonly hash: string;
  readonly status: DigestDocument['status'];
  readonly excluded: DigestDocument['excluded'];
  readonly error: DigestDocument['error'];
  /** Without its key points, and its text, if these were only scanned. */
  readonly extraction: ExtractionOutcome | null;
  /** Number of its key points, if they were scanned. */
  readonly held?: number;
}

export interface ReadDocuments {
  readonly documents: readonly ReadDocument[];
  readonly extractor: string;
  readonly reused: number;
}

/** Inclusive range of publication dates. ISO 8601. */
export interface DateWindow {
  readonly publishedAfter?: string | undefined;
  readonly publishedBefore?: string | undefined;
}

interface ReadingWindow extends DateWindow {
  readonly earlier?: EarlierReading | null;
}

/** Called with the document just read; null if all were cached. */
export type OnDocument = (done: number, total: number, document: string | null) => void;

/** Called once per text after extraction; `isKept` if it was cached. */
type OnExtraction = (extraction: ExtractionOutcome, isKept: boolean) => void;

/** Extracts key points from documents that are not cached (promise P9). One that fails affects no other (P7) and is not cached. */
export async function readDocuments(
  documents: readonly RequestDocument[],
  window: ReadingWindow,
  extractor: Extractor,
  { cache, reportFailure }: Pick<DigestDeps, 'cache' | 'reportFailure'>,
  onProgress: OnDocument,
  onExtraction: OnExtraction = () => {},
): Promise<ReadDocuments> {
  const isExcluded = exclusion(window);
  const hashed = documents.map((document, place) => {
    const hash = document.hash ?? contentHash(document.text);
    const key = extractor.keyOf(document);
    return { document, place, hash, key, work: workOf(hash, key), excluded: isExcluded(document, hash) };
  });
  const isRead = ({ document, excluded }: (typeof hashed)[number]): boolean =>
    excluded === null && document.text.trim() !== '';
  const byWork = new Map(hashed.filter(isRead).map((each) => [each.work, each]));
  // Documents with a hash are already stored.
  const unsaved = [...byWork.values()].filter(({ document }) => document.hash === undefined);
  const texts = new Map(unsaved.map(({ document, hash }) => [hash, document.text]));
  await cache.saveDocuments([...texts].map(([hash, text]) => ({ hash, text })));
  const kept = await cache.readExtractions(
    [...byWork.values()].map(({ hash, key }) => ({ documentHash: hash, extractor: key })),
  );
  const stored = new Map(kept.map((row) => [workOf(row.documentHash, row.extractor), row]));

  const extractions = new Map<string, ExtractionOutcome>([...stored].map(([work, row]) => [work, parse(row)]));
  for (const extraction of extractions.values()) onExtraction(extraction, true);
  const failures = new Map<string, unknown>();
  const missing = [...byWork.values()].filter(({ work }) => !stored.has(work));
  let done = 0;
  if (missing.length === 0) onProgress(byWork.size, byWork.size, null);
  const limit = pLimit(extractor.atOnce);
  const unkept: StoredExtraction[] = [];
  const keep = async (): Promise<void> => {
    const rows = unkept.splice(0);
    await cache.saveExtractions(rows).catch((failure: unknown) => {
      for (const { documentHash } of rows) reportFailure(failure, { stage: 'extract', document: documentHash });
    });
  };
  const readOne = async ({ document, hash, key, work }: (typeof missing)[number]): Promise<void> => {
    try {
      const extraction = await singleFlight(cache, work, async () => {
        // Another digest may have paid for it since the look above.
        const [since] = extractor.isModel ? await cache.readExtractions([{ documentHash: hash, extractor: key }]) : [];
        if (since !== undefined) return parse(since);
        const made = await extractor.extract(document);
        const { keyPoints, unverified, language, words, unreadReason } = made;
        const told = { keyPoints: JSON.stringify(keyPoints), unverified: JSON.stringify(unverified) };
        if (unreadReason === null) unkept.push({ documentHash: hash, extractor: key, language, words, ...told });
        if (unkept.length >= extractor.keptTogether) await keep();
        return made;
      });
      extractions.set(work, extraction);
      onExtraction(extraction, false);
      if (extraction.unreadReason !== null)
        reportFailure(new Error(extraction.unreadReason), { stage: 'extract', document: hash });
    } catch (failure) {
      failures.set(work, failure);
      reportFailure(failure, { stage: 'extract', document: hash });
    }
    onProgress(++done, missing.length, document.id);
  };
  await Promise.all(missing.map((each) => limit(readOne, each)));
  if (unkept.length > 0) await keep();

  const read = hashed.map(({ document, place, hash, work, excluded }): ReadDocument => {
    const extraction = extractions.get(work) ?? null;
    const read = { document, place, hash, excluded };
    if (document.unread) return { ...read, excluded: null, status: 'failed', error: document.unread, extraction: null };
    if (excluded !== null) return { ...read, status: 'excluded', error: null, extraction: null };
    if (failures.has(work)) {
      return { ...read, status: 'failed', error: failureOf(failures.get(work)), extraction: null };
    }
    const status = extraction === null || extraction.keyPoints.length === 0 ? 'empty' : 'ok';
    const unreadReason = extraction?.unreadReason ?? null;
    const error = unreadReason === null ? null : { code: 'extraction-incomplete', message: unreadReason };
    return { ...read, status, error, extraction };
  });
  return {
    documents: read.sort(canonical),
    extractor: extractor.id,
    reused: hashed.filter(({ work }) => stored.has(work)).length,
  };
}

/** Callers see only messages written for them; others go to the service's log. */
function failureOf(failure: unknown): { code: string; message: string } {
  const isTold =
    failure instanceof ModelCallError || (failure instanceof TesseraError && failure.code === 'limit-exceeded');
  const why = isTold ? ` ${failure.message}` : '';
  return { code: 'extraction-failed', message: `No key points could be extracted from this document.${why}` };
}

function workOf(hash: string, key: string): string {
  return JSON.stringify([key, hash]);
}

function parse({ keyPoints, unverified, language, words }: StoredExtraction): ExtractionOutcome {
  return { keyPoints: JSON.parse(keyPoints), unverified: JSON.parse(unverified), language, words, unreadReason: null };
}

type Identity = Pick<ReadDocument, 'hash'> & { readonly document: Pick<RequestDocument, 'id'> };

export function canonical(a: Identity, b: Identity): number {
  if (a.hash !== b.hash) return a.hash < b.hash ? -1 : 1;
  return a.document.id < b.document.id ? -1 : 1;
}

/** Why a document is not read. */
export function exclusion(
  window: ReadingWindow,
): (document: Pick<SourceDocument, 'publishedAt'>, hash: string) => ReadDocument['excluded'] {
  const seen = new Set(window.earlier?.documents);
  return (document, hash) => (!isWithin(document, window) ? 'date' : seen.has(hash) ? 'known' : null);
}

function isWithin(
  { publishedAt }: Pick<SourceDocument, 'publishedAt'>,
  { publishedAfter, publishedBefore }: DateWindow,
): boolean {
  if (publishedAt === undefined) return true;
  const published = Date.parse(publishedAt);
  if (publishedAfter !== undefined && published < Date.parse(publishedAfter)) return false;
  return publishedBefore === undefined || published <= endOf(publishedBefore);
}

/** A date without a time includes the whole day. */
function endOf(date: string): number {
  const day = 24 * 60 * 60 * 1000;
  return date.includes('T') ? Date.parse(date) : Date.parse(date) + day - 1;
}

export function inRequestOrder(documents: readonly ReadDocument[]): ReadDocument[] {
  return documents.toSorted((a, b) => a.place - b.place);
}

export function readableDocuments(documents: readonly ReadDocument[]): RequestDocument[] {
  const read = documents.filter(({ status }) => status === 'ok' || status === 'empty');
  return inRequestOrder(read).map(({ document }) => document);
}

export function pointsHeld({ held, extraction }: Pick<ReadDocument, 'held' | 'extraction'>): number {
  return held ?? extraction?.keyPoints.length ?? 0;
}

export function documentStatus({ document, status, excluded, error, ...read }: ReadDocument): DigestDocument {
  return { id: document.id, status, excluded, keyPoints: pointsHeld(read), error };
}
