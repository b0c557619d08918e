import { textsUnderWay } from '../../models/index.ts';
import type { Scanned } from '../../selection/index.ts';
import type { Writer } from '../../summary/index.ts';
import { contentHash, nextTurn } from '../../text/index.ts';
import { LimitExceededError } from '../errors.ts';
import type { Plan } from '../plan.ts';
import type { Query } from '../rank/query.ts';
import type { RankingTask } from '../rank/ranking-task.ts';
import type { RequestDocument } from '../request.ts';
import type { Run } from '../run.ts';
import type { ExtractionOutcome } from './extractor.ts';
import { encodedText, type Point, pointsOf } from './points.ts';
import { type OnDocument, type ReadDocument, type ReadDocuments, readDocuments } from './read-documents.ts';

/** Of a collection whose points were scanned, so that only the likeliest are in the reading. */
interface Scan {
  readonly earlier: Omit<Scanned, 'indices'>;
  readonly facets: RankingTask['facets'];
  /** Points scanned. */
  readonly points: number;
  /** Unit vectors of the surroundings of points of the reading, ascending. */
  contextOf(indices: readonly number[]): Float32Array[];
}

export interface Reading {
  readonly documents: readonly ReadDocument[];
  readonly extractor: string;
  readonly points: readonly Point[];
  readonly vectors: readonly Float32Array[];
  readonly reused: { readonly reusedExtractions: number; readonly reusedEncodings: number };
  readonly writer: { readonly name: string; readonly writer: Writer } | null;
  /** Null if all points are in the reading. */
  readonly scan: Scan | null;
  readonly warnings: readonly string[];
  /** Identifies plan, documents and points; prefix of the keys of all later steps. */
  readonly key: string;
}

/** Extracts and encodes key points, encoding each document while the next is read. @throws LimitExceededError for too many points */
export async function extract(
  run: Run,
  plan: Plan,
  documents: readonly RequestDocument[],
  query: Query,
): Promise<Reading> {
  const { cache, maxPoints } = run;
  const underWay = textsUnderWay(plan.options.kernelEncoder, cache);
  let found = 0;
  const encodeAhead = ({ keyPoints }: ExtractionOutcome, isKept: boolean): void => {
    found += keyPoints.length;
    if (found <= maxPoints) underWay.add(keyPoints.map(encodedText), isKept);
    else underWay.stop();
  };
  try {
    const read = await run.time('extract', () =>
      readDocuments(documents, query, plan.extractor, run, documentProgress(run), encodeAhead),
    );
    return await encodePoints(run, plan, read, underWay);
  } catch (failure) {
    underWay.stop();
    throw failure;
  }
}

export function documentProgress(run: Run): OnDocument {
  return (done, total, document) => run.progress('extract', done, total, document);
}

/** Encodes key points; `underWay` may already be encoding some. @throws LimitExceededError */
export async function encodePoints(
  run: Run,
  plan: Plan,
  read: ReadDocuments,
  underWay: ReturnType<typeof textsUnderWay> = textsUnderWay(plan.options.kernelEncoder, run.cache),
): Promise<Reading> {
  const { maxPoints } = run;
  const { points, encoded } = await run.time('encode', async () => {
    const points = pointsOf(read);
    if (points.length > maxPoints) {
      const most = `at most ${maxPoints} go into a digest`;
      throw new LimitExceededError('/documents', `hold ${points.length} key points together; ${most}`);
    }
    await nextTurn();
    const onProgress = (done: number, total: number): void => run.progress('encode', done, total);
    return { points, encoded: await underWay.finish(points.map(encodedText), onProgress) };
  });
  const key = readingKey(plan, { ...read, points });
  const reuse = { reusedExtractions: read.reused, reusedEncodings: encoded.reused };
  // The 0 saves the usage of extraction with this step.
  const reused = await run.step('encode', 'gather', key, () => reuse, 0);
  return { ...read, points, vectors: encoded.sentences, reused, writer: null, scan: null, warnings: [], key };
}

export function readingKey(
  plan: Plan,
  { documents, extractor, points }: Pick<Reading, 'documents' | 'extractor' | 'points'>,
): string {
  const hashes = documents.map(({ hash }) => hash);
  return contentHash(JSON.stringify([plan.key, extractor, hashes, points.map(({ id }) => id)]));
}
