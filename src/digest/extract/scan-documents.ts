import { type PackedPoints, scan, unpackDocuments } from '../../selection/index.ts';
import { contentHash, groups, recentlyUsed } from '../../text/index.ts';
import { LimitExceededError } from '../errors.ts';
import type { Plan } from '../plan.ts';
import { isForeign, type Query } from '../rank/query.ts';
import { MAX_READ, scoredFacets } from '../rank/rank-points.ts';
import type { HashedDocument, RequestDocument } from '../request.ts';
import type { Run } from '../run.ts';
import { documentProgress, type Reading, readingKey } from './extract.ts';
import { packDocuments, readPacked } from './packed-documents.ts';
import { pointsOf } from './points.ts';
import {
  canonical,
  exclusion,
  type OnDocument,
  type ReadDocument,
  type ReadDocuments,
  readDocuments,
} from './read-documents.ts';

/** Points from which on a scan is worth its while. */
const MANY = 2000;
/** Points that may be scanned for one that may be read: they take less memory. */
const SCANNED = 4;
/** Characters packed together, for their vectors take thirty times as much memory. */
const PACKED_TOGETHER = 200_000;

/** @throws LimitExceededError for more points than may be scanned */
export function checkPoints(points: number, maxPoints: number): void {
  const most = SCANNED * maxPoints;
  if (points <= most) return;
  throw new LimitExceededError('/collection', `holds ${points} key points; at most ${most} are searched for a digest`);
}

/** Whether to scan so many points, and whether what is packed tells which of them are relevant. */
export function canScan({ options, query, extractor, naive, readsWhole, readsInParts }: Plan, points: number): boolean {
  const { kernelEncoder, relevanceEncoder, estimate, gate, maxKept } = options;
  const isGated = query.text !== null && gate !== null && estimate && Number.isFinite(maxKept);
  const readsAll = extractor.isModel || naive !== null || readsWhole || readsInParts;
  return points > MANY && isGated && !readsAll && relevanceEncoder === kernelEncoder;
}

type Entry = Pick<ReadDocument, 'place' | 'hash' | 'excluded'> & { readonly document: HashedDocument };

/**
 * The reading of stored documents by a scan of all points: only those that can pass the gate or be read again are in it, with the
 * documents that hold them. Documents that are not packed are packed first.
 *
 * @param lost documents that could not be read, by their places in `stored`
 * @throws LimitExceededError for too many points to read
 */
export async function scanDocuments(
  run: Run,
  plan: Plan,
  stored: readonly HashedDocument[],
  query: Query,
  lost: ReadonlyMap<number, ReadDocument> = new Map(),
): Promise<Reading> {
  const { extractor, options } = plan;
  const { kernelEncoder: encoder, surroundings, maxKept } = options;
  const isExcluded = exclusion(query);
  const entries = stored
    .map((document, place): Entry => {
      const { hash } = document;
      return { document, place, hash, excluded: isExcluded(document, hash) };
    })
    .sort(canonical);
  const open = entries.filter(({ place, excluded }) => excluded === null && !lost.has(place));
  const { points, scanned, failed, made } = await run.time('extract', () => unpacked(run, plan, open));
  const total = points.documents.length;
  const { facets, indices, ...earlier } = await run.time('rank', async () => {
    const { facets } = await scoredFacets(query.facets, [], encoder);
    // Words alone decide in languages that the encoder does not know, and only texts have them.
    const isWhole = points.facts.map(({ language }) => isForeign(language, encoder));
    return { facets, ...scan(points, facets, { surroundings, most: { kept: maxKept, read: MAX_READ }, isWhole }) };
  });
  if (indices.length > run.maxPoints) {
    const most = `at most ${run.maxPoints} go into a digest`;
    throw new LimitExceededError('/collection', `has ${indices.length} key points to read for this question; ${most}`);
  }
  const near = [...new Set(indices.map((i) => points.documents[i]))].map((at) => scanned[at]);
  const read = await run.time('extract', async () => readEntries(run, plan, await inFull(run, near)));
  const gone = read.documents.filter(({ extraction }) => extraction === null);
  if (gone.length > 0)
    return scanDocuments(run, plan, stored, query, new Map([...lost, ...byPlace([...failed, ...gone])]));
  const known = new Map([...lost, ...byPlace([...failed, ...read.documents])]);
  const placeOf = new Map(scanned.map(({ place }, at) => [place, at]));
  const documents = entries.map((entry) => known.get(entry.place) ?? unreadDocument(entry, points, placeOf));
  const chosen = new Set(indices);
  const withChosen = documents.map(({ extraction, ...document }) => {
    const start = points.starts[placeOf.get(document.place) ?? 0];
    const keyPoints = extraction?.keyPoints.filter((_, i) => chosen.has(start + i)) ?? [];
    return { ...document, extraction: extraction && { ...extraction, keyPoints } };
  });
  const own = pointsOf({ documents: withChosen, extractor: extractor.id });
  if (own.length !== indices.length) throw new Error('packed documents have other key points than their texts');
  const key = readingKey(plan, { documents, extractor: extractor.id, points: own });
  const reuse = { reusedExtractions: open.length - made, reusedEncodings: total };
  const reused = await run.step('encode', 'gather', key, () => reuse, 0);
  run.progress('encode', total, total);
  const contextOf = (kept: readonly number[]) => points.contextOf(kept.map((place) => indices[place]));
  return {
    ...{ documents, extractor: extractor.id, points: own, vectors: indices.map(points.vectorOf) },
    ...{ reused, writer: null, warnings: [], key },
    scan: { earlier, facets, points: total, contextOf },
  };
}

/** A document of which no point is in the reading. */
function unreadDocument(
  { document, ...entry }: Entry,
  { facts }: PackedPoints,
  placeOf: ReadonlyMap<number, number>,
): ReadDocument {
  const untold = { ...entry, document: { ...document, text: '' }, error: null };
  const at = placeOf.get(entry.place);
  if (at === undefined) return { ...untold, status: 'excluded', extraction: null };
  const { language, words, points: held } = facts[at];
  const extraction = { keyPoints: [], unverified: [], language, words, unreadReason: null };
  return { ...untold, status: held === 0 ? 'empty' : 'ok', extraction, held };
}

const MAX_POINTS = 120_000;
/** Collections unpacked lately: they are asked many times. */
const recent = recentlyUsed<PackedPoints>(MAX_POINTS, ({ documents }) => 1 + documents.length);

/** The documents as packed; those that were not are read, packed and kept, or have failed. `made` of them had to be packed. */
async function unpacked(run: Run, plan: Plan, open: readonly Entry[]) {
  const { extractor } = plan;
  const { kernelEncoder: encoder } = plan.options;
  const onDocument = documentProgress(run);
  const names = open.map(({ document: { hash, title = '' } }) => [hash, title]);
  // For the day, as their lists, so that the store knows that they are in use.
  const day = new Date().toISOString().slice(0, 'yyyy-mm-dd'.length);
  const key = contentHash(JSON.stringify([day, encoder.profile.id, extractor.id, names]));
  const known = recent.get(key);
  if (known !== undefined) {
    onDocument(open.length, open.length, null);
    return { points: known, scanned: open, failed: [], made: 0 };
  }
  const packed = await readPacked(open, extractor.id, encoder, run.cache);
  const missing = open.filter(({ place }) => !packed.has(place));
  const failed: ReadDocument[] = [];
  for (const group of groups(await inFull(run, missing), PACKED_TOGETHER, ({ document }) => document.text.length)) {
    const before = packed.size + failed.length;
    const read = await readEntries(run, plan, group, (n, _, id) => onDocument(before + n, open.length, id));
    for (const [place, parts] of await packDocuments(read, encoder, run)) packed.set(place, parts);
    failed.push(...read.documents.filter(({ place }) => !packed.has(place)));
  }
  onDocument(open.length, open.length, null);
  const scanned = open.filter(({ place }) => packed.has(place));
  const points = unpackDocuments(
    scanned.map(({ place }) => packed.get(place) ?? []),
    encoder.profile.calibration.relevance,
  );
  const isMemoryShort = run.maxPoints < MAX_POINTS;
  if (failed.length === 0 && !isMemoryShort) recent.keep(key, points);
  return { points, scanned, failed, made: missing.length };
}

type FullEntry = Pick<Entry, 'place'> & { readonly document: RequestDocument };

/** With the texts of the documents from the store. */
async function inFull(run: Run, entries: readonly Entry[]): Promise<FullEntry[]> {
  const given = await withTexts(
    entries.map(({ document }) => document),
    run,
  );
  return given.map((document, at) => ({ document, place: entries[at].place }));
}

async function readEntries(
  run: Run,
  { extractor }: Plan,
  entries: readonly FullEntry[],
  onDocument: OnDocument = () => {},
): Promise<ReadDocuments> {
  const given = entries.map(({ document }) => document);
  const read = await readDocuments(given, {}, extractor, run, onDocument);
  return { ...read, documents: read.documents.map((each) => ({ ...each, place: entries[each.place].place })) };
}

function byPlace(documents: readonly ReadDocument[]): [place: number, document: ReadDocument][] {
  return documents.map((document) => [document.place, document]);
}

const GONE = { code: 'document-deleted', message: 'This document was deleted before it was read.' };

/** The documents with their texts from the store. */
export async function withTexts(
  stored: readonly HashedDocument[],
  { cache }: Pick<Run, 'cache'>,
): Promise<RequestDocument[]> {
  const texts = await cache.readTexts([...new Set(stored.map(({ hash }) => hash))]);
  return stored.map((document) => {
    const text = texts.get(document.hash);
    return text === undefined ? { ...document, text: '', unread: GONE } : { ...document, text };
  });
}
