import { extractWithModel, WINDOW_OVERLAP, windowBytes } from '../../digest/index.ts';
import { asData, BYTES_PER_TOKEN } from '../../models/index.ts';
import { type SourceDocument, utf8Length } from '../../text/index.ts';
import {
  type AskedModel,
  type CallEstimate,
  isUnanswerable,
  type Protocol,
  yesProbability,
} from '../asking/asked-model.ts';
import { mapConcurrent } from '../asking/map-concurrent.ts';
import type { BenchmarkCase, BenchmarkSet, Collection } from '../benchmark-set.ts';
import {
  aggregatePoints,
  comparePoints,
  type DocumentOrder,
  type PlacedPoint,
  roomOf,
  spansOf,
} from './aggregate-points.ts';

/** Key points that a stretch of a part gives, and rounds that are gone before one adds little: as models have been seen to do. */
const [LIKELY_POINTS, LIKELY_ROUNDS] = [6, 2];
/** UTF-8 bytes of a stretch, where a part is not shorter. */
const STRETCH = 7200;
/** Of the points, what is left when they were merged batch by batch, and is gone through again. */
const LEFT = 0.8;
/** What prompts say beside what is filled in. */
const RULES = { read: 450, merge: 450, weigh: 280 };
const TOKENS = { point: 25, found: 400, group: 20, word: 2 };

/**
 * Calls for key points: to read documents part by part and round by round, and for each case to merge and weigh what is found.
 *
 * @param cases texts of the documents of each
 * @param rounds over a part, at most
 */
function estimateCalls(cases: readonly (readonly string[])[], rounds: number, contextTokens: number): CallEstimate {
  const partBytes = Math.max(1, (1 - WINDOW_OVERLAP) * windowBytes(contextTokens));
  const room = roomOf({ contextTokens });
  const batch = Math.max(2, Math.min(room.points, Math.floor(room.bytes / (TOKENS.point * BYTES_PER_TOKEN))));
  const steps = cases.flatMap((texts) => {
    const sizes = texts.map((text) => utf8Length(text));
    const count = (of: number) => sizes.reduce((sum, size) => sum + Math.ceil(size / of), 0);
    const bytes = sizes.reduce((sum, size) => sum + size, 0);
    const stretches = count(Math.min(partBytes, STRETCH));
    const readings = count(partBytes) * Math.min(rounds, LIKELY_ROUNDS);
    const points = stretches * LIKELY_POINTS;
    const shown = points > batch ? points + LEFT * points : points;
    const merges = points > batch ? Math.ceil(points / batch) + Math.ceil((LEFT * points) / batch) : Number(points > 1);
    return [
      {
        calls: readings,
        prompt: RULES.read * readings + (bytes / BYTES_PER_TOKEN) * Math.min(rounds, LIKELY_ROUNDS),
        completion: TOKENS.found * stretches * Math.min(rounds, LIKELY_ROUNDS),
      },
      { calls: merges, prompt: RULES.merge * merges + TOKENS.point * shown, completion: TOKENS.group * shown },
      { calls: points, prompt: (RULES.weigh + TOKENS.point) * points, completion: TOKENS.word * points },
    ];
  });
  const total = (of: (step: (typeof steps)[number]) => number) =>
    Math.ceil(steps.reduce((sum, step) => sum + of(step), 0));
  return {
    calls: total(({ calls }) => calls),
    promptTokens: total(({ prompt }) => prompt),
    completionTokens: total(({ completion }) => completion),
  };
}

/** To be raised with every change of what comes out. */
const VERSION = 3;

interface KeyPointOptions {
  /** Most rounds over each part of a document, the first included. */
  readonly rounds: number;
  /** Least usefulness of a point that is kept, 0 to 1. */
  readonly threshold: number;
  /** Tokens that the model takes: the parts in which documents are read depend on it. */
  readonly contextTokens: number;
}

/** The key points of a case, without duplicates. */
export interface CaseKeyPoints {
  /** Id of the case. */
  readonly id: string;
  /** All that were found, in order of the documents of the collection, then of their places. */
  readonly found: readonly WeighedPoint[];
  /** Those that are useful enough. */
  readonly kept: readonly (WeighedPoint & { readonly usefulness: number })[];
}

/** A case that asks something. */
type AskedCase = BenchmarkCase & { readonly intent: string };

export function askedCases({ cases }: BenchmarkSet): AskedCase[] {
  return cases.flatMap((each) => (each.intent === undefined ? [] : [{ ...each, intent: each.intent }]));
}

/**
 * Key points that a good answer to the question of each case would state (Long2RAG, Qi et al. 2024, section 3.3): found in
 * every document, merged over them, and kept where they are useful.
 */
export function keyPointsProtocol(
  set: BenchmarkSet,
  { rounds, threshold, contextTokens }: KeyPointOptions,
): Protocol<readonly CaseKeyPoints[]> {
  const cases = askedCases(set);
  const collections = new Map(set.collections.map((collection) => [collection.id, collection]));
  const documentsOf = ({ collection }: BenchmarkCase): Collection['documents'] =>
    collections.get(collection)?.documents ?? [];

  return {
    step: 'key-points',
    version: VERSION,
    options: { rounds, threshold, context: contextTokens },
    expected: () =>
      estimateCalls(
        cases.map((each) => documentsOf(each).map(({ text }) => text)),
        rounds,
        contextTokens,
      ),
    async make(model) {
      const made = await mapConcurrent(cases.map((each) => () => makeCase(each, documentsOf(each), rounds, model)));
      const result = made.map(({ id, found }) => ({
        id,
        found,
        kept: found.flatMap((point) =>
          point.usefulness !== null && point.usefulness >= threshold
            ? [{ ...point, usefulness: point.usefulness }]
            : [],
        ),
      }));
      const answered = result.flatMap(({ found }) => found).filter(({ usefulness }) => usefulness !== null);
      const kept = result.reduce((sum, each) => sum + each.kept.length, 0);
      const total = (name: keyof MadeCase['counts']): number => made.reduce((sum, { counts }) => sum + counts[name], 0);
      return {
        result,
        counts: {
          cases: cases.length,
          extracted: total('extracted'),
          unverified: total('unverified'),
          unread: total('unread'),
          merged: total('merged'),
          reworded: total('reworded'),
          apart: total('apart'),
          repairedGroups: total('repairedGroups'),
          unmergedBatches: total('unmergedBatches'),
          filtered: answered.length - kept,
          unreadable: total('unreadable'),
          unweighed: answered.filter(({ isWeighed }) => !isWeighed).length,
          kept,
        },
      };
    },
  };
}

interface MadeCase {
  readonly id: string;
  readonly found: readonly WeighedPoint[];
  readonly counts: Readonly<
    Record<
      | 'extracted'
      | 'unverified'
      | 'unread'
      | 'merged'
      | 'reworded'
      | 'apart'
      | 'repairedGroups'
      | 'unmergedBatches'
      | 'unreadable',
      number
    >
  >;
}

async function makeCase(
  { id, intent }: AskedCase,
  documents: Collection['documents'],
  rounds: number,
  model: AskedModel,
): Promise<MadeCase> {
  const order: DocumentOrder = new Map(documents.map((document, place) => [document.id, place]));
  const { points, unverified, unread } = await extractPoints(intent, documents, rounds, model);
  const { groups, counts } = await aggregatePoints(points, order, model);
  const found = await weighPoints(intent, groups, model);
  const unreadable = found.filter(({ usefulness }) => usefulness === null).length;
  const merged = points.length - groups.length;
  return { id, found, counts: { extracted: points.length, unverified, unread, merged, ...counts, unreadable } };
}

/** A key point with what it is worth. */
interface WeighedPoint extends PlacedPoint {
  /** Probability that it helps to answer the question; null where the model did not say. */
  readonly usefulness: number | null;
  /** Whether that is a probability; else it is 1 or 0, after the word that the model answered with. */
  readonly isWeighed: boolean;
}

/**
 * How useful each point is to answer a question (Qi et al. 2024, appendix A.2): exp(YES) / (exp(YES) + exp(NO)) of the log
 * probabilities with which a model answers YES and NO. Where the server tells none, a YES is 1 and a NO is 0.
 *
 * @throws ModelCallError where a call failed otherwise than for what it asked
 */
export async function weighPoints(
  question: string,
  points: readonly PlacedPoint[],
  model: AskedModel,
): Promise<WeighedPoint[]> {
  const prompt = model.prompt('benchmark-useful');
  return mapConcurrent(
    points.map(({ text, spans }) => async () => {
      const values = { question: asData('question', question), point: asData('point', text) };
      const answer = await yesProbability(model, { prompt, values });
      return { text, spans, usefulness: answer?.share ?? null, isWeighed: answer?.isWeighed ?? false };
    }),
  );
}

/** What documents say to a question. */
interface ExtractedPoints {
  /** In order of the documents, then of the places. */
  readonly points: readonly PlacedPoint[];
  /** Statements with quotes that their document does not hold. */
  readonly unverified: number;
  /** Parts of documents whose reading ended with an answer that could not be read, or a question that was not taken. */
  readonly unread: number;
}

/**
 * The key points of each document that help to answer a question (Qi et al. 2024, section 3.3): several rounds over each
 * part, each point with the words that state it.
 *
 * @param rounds most rounds over each part, the first included
 * @throws ModelCallError where a call failed otherwise than for what it asked
 */
export async function extractPoints(
  question: string,
  documents: readonly SourceDocument[],
  rounds: number,
  model: AskedModel,
): Promise<ExtractedPoints> {
  const prompts = { first: model.prompt('extract-for-question'), more: model.prompt('extract-more-for-question') };
  const order: DocumentOrder = new Map(documents.map(({ id }, place) => [id, place]));
  const read = await mapConcurrent(
    documents.map((document) => async () => {
      const { keyPoints, unverified, failures } = await extractWithModel(document, {
        model,
        prompts,
        rounds,
        question,
      });
      const other = failures.find((failure) => !isUnanswerable(failure));
      if (other !== undefined) throw other;
      const points = keyPoints.map((point): PlacedPoint => {
        const spans = [point, ...(point.moreQuotes ?? [])].map(({ start, end }) => ({
          document: document.id,
          start,
          end,
        }));
        return { text: point.text, spans: spansOf([{ text: point.text, spans }], order) };
      });
      return { points, unverified: unverified.length, unread: failures.length };
    }),
  );
  return {
    points: read.flatMap(({ points }) => points).sort(comparePoints(order)),
    unverified: read.reduce((sum, { unverified }) => sum + unverified, 0),
    unread: read.reduce((sum, { unread }) => sum + unread, 0),
  };
}
