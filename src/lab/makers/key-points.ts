import { z } from 'zod';
import { text } from '../../contract/index.ts';
import { extractWithModel, WINDOW_OVERLAP, windowBytes } from '../../digest/index.ts';
import type { Judge } from '../../evaluation/index.ts';
import { asData, BYTES_PER_TOKEN } from '../../models/index.ts';
import { type SourceDocument, utf8Length } from '../../text/index.ts';
import type { BenchmarkCase, BenchmarkSet } from '../benchmark-set.ts';
import { textTable } from '../report/report.ts';
import { type AskedModel, isUnanswerable, mapConcurrent } from './asked-model.ts';
import {
  type AskedCase,
  askedCases,
  type CallEstimate,
  type Counts,
  countNotes,
  type ExpectedCalls,
  type Maker,
  summed,
  totalCalls,
  UnfitSetError,
} from './maker.ts';
import {
  comparePoints,
  type DocumentOrder,
  mergePoints,
  mergingRoom,
  type PlacedPoint,
  spansOf,
} from './merge-points.ts';

interface WeighedPoint extends PlacedPoint {
  /** Probability that it helps to answer the question; null without an answer. */
  readonly usefulness: number | null;
}

export interface CaseKeyPoints {
  readonly id: string;
  readonly found: readonly WeighedPoint[];
  readonly counts: Counts;
}

interface KeyPointOptions {
  readonly rounds: number;
  readonly threshold: number;
  readonly contextTokens: number;
}

function keptPoints({ found }: CaseKeyPoints, threshold: number): readonly WeighedPoint[] {
  return found.filter(({ usefulness }) => usefulness !== null && usefulness >= threshold);
}

const [LIKELY_POINTS, LIKELY_ROUNDS, LEFT] = [6, 2, 0.8];
const STRETCH_BYTES = 7200;
const TOKENS = { rules: 400, point: 25, found: 400, group: 20, word: 2 };
const MAX_NAMED = 10;

/**
 * Extracts key points of a good answer to each case's question from every document, merges them, and keeps the useful
 * ones (Long2RAG, Qi et al. 2024, section 3.3).
 * @throws UnfitSetError if no case has an intent, or if key points from elsewhere would be replaced
 */
export function keyPointsMaker(
  set: BenchmarkSet,
  { rounds, threshold, contextTokens }: KeyPointOptions,
): Maker<readonly CaseKeyPoints[]> {
  const cases = askedCases(set);
  if (cases.length === 0) {
    throw new UnfitSetError('The set holds no case with an intent, the question that key points are made for.');
  }
  const isOurs = set.made.some(({ step }) => step === 'key-points');
  const foreign = isOurs ? [] : cases.filter(({ keyPoints = [] }) => keyPoints.length > 0);
  if (foreign.length > 0) {
    const names = foreign.slice(0, MAX_NAMED).map(({ id }) => `"${id}"`);
    const more = foreign.length > MAX_NAMED ? ` and ${foreign.length - MAX_NAMED} more` : '';
    throw new UnfitSetError(
      `Key points that this step did not make would be replaced, those of ${names.join(', ')}${more}. Take them out of the set; --people FILE reads them from a file, to hold those made here against them.`,
    );
  }
  const collections = new Map(set.collections.map(({ id, documents }) => [id, documents]));
  const documentsOf = ({ collection }: BenchmarkCase) => collections.get(collection) ?? [];
  return {
    step: 'key-points',
    version: 4,
    options: { rounds, threshold, context: contextTokens },
    expected: () =>
      totalCalls(
        cases.flatMap((each) => expectedCalls(documentsOf(each), Math.min(rounds, LIKELY_ROUNDS), contextTokens)),
      ),
    ask: (model) => mapConcurrent(cases, (each) => makeCase(each, documentsOf(each), rounds, model)),
    build(made) {
      const kept = new Map(made.map((each) => [each.id, keptPoints(each, threshold)]));
      const total = [...kept.values()].reduce((sum, points) => sum + points.length, 0);
      const answered = made.flatMap(({ found }) => found).filter(({ usefulness }) => usefulness !== null);
      const sums = summed(made.map(({ counts }) => counts));
      const counts = { cases: cases.length, ...sums, filtered: answered.length - total, kept: total };
      const empty = made.filter(({ id }) => (kept.get(id) ?? []).length === 0).map(({ id }) => id);
      const whole = set.cases.map((each) => {
        const points = kept.get(each.id);
        if (points === undefined) return each;
        return {
          ...each,
          keyPoints: points.map(({ text, spans, usefulness }) => ({
            ...{ text, spans: [...spans] },
            usefulness: usefulness ?? undefined,
          })),
        };
      });
      return {
        set: total === 0 ? null : { ...set, cases: whole },
        counts,
        notes: [
          ...countNotes(counts, NOTES_BY_COUNT),
          ...(empty.length > 0 ? [`Without key points: ${empty.join(', ')}.`] : []),
        ],
      };
    },
  };
}

const NOTES_BY_COUNT = {
  extracted: 'Key points found',
  merged: 'Of them merged into others',
  filtered: 'Not as useful as --threshold asks',
  unreadable: 'Without a readable answer on their use',
  kept: 'Kept',
  unread: 'Parts of documents not read to the end, for an answer that could not be read or was refused',
  unverified: 'Statements dropped for quotes that their document does not hold',
  apart: 'Points that the model wanted merged and that stayed apart, as the text states something else',
  reworded: "Merged points under the text of the first, as they do not bear out the model's",
  repairedGroups: 'Points that the model put into no group or several, and numbers of no point, put right',
  unmergedBatches: 'Lists of points in which nothing was merged, for want of a readable answer',
  unweighed: 'Points of which the server told no probability: their usefulness is 1 for YES and 0 for NO',
};

function expectedCalls(documents: readonly SourceDocument[], rounds: number, contextTokens: number): ExpectedCalls[] {
  const partBytes = Math.max(1, (1 - WINDOW_OVERLAP) * windowBytes(contextTokens));
  const { items, bytes } = mergingRoom(contextTokens);
  const batch = Math.max(2, Math.min(items, Math.floor(bytes / (TOKENS.point * BYTES_PER_TOKEN))));
  const sizes = documents.map(({ text }) => utf8Length(text));
  const count = (of: number) => sizes.reduce((sum, size) => sum + Math.ceil(size / of), 0);
  const tokens = sizes.reduce((sum, size) => sum + size, 0) / BYTES_PER_TOKEN;
  const parts = Math.max(1, count(partBytes));
  const stretches = count(Math.min(partBytes, STRETCH_BYTES));
  const points = stretches * LIKELY_POINTS;
  const shown = points > batch ? (1 + LEFT) * points : points;
  const merges = points > batch ? Math.ceil(shown / batch) + 1 : Number(points > 1);
  return [
    [count(partBytes) * rounds, TOKENS.rules + tokens / parts, (TOKENS.found * stretches) / parts],
    [merges, TOKENS.rules + (TOKENS.point * shown) / Math.max(1, merges), (TOKENS.group * shown) / Math.max(1, merges)],
    [points, TOKENS.rules + TOKENS.point, TOKENS.word],
  ];
}

async function makeCase(
  { id, intent }: AskedCase,
  documents: readonly SourceDocument[],
  rounds: number,
  model: AskedModel,
): Promise<CaseKeyPoints> {
  const order: DocumentOrder = new Map(documents.map((document, place) => [document.id, place]));
  const read = await mapConcurrent(documents, (document) => extractPoints(intent, document, rounds, order, model));
  const points = read.flatMap((each) => each.points).sort((a, b) => comparePoints(a, b, order));
  const { groups, counts } = await mergePoints(points, order, model);
  let [unreadable, unweighed] = [0, 0];
  const found = await mapConcurrent(groups, async ({ text, spans }) => {
    const values = { question: asData('question', intent), point: asData('point', text) };
    const answer = await model.yes('benchmark-useful', values);
    unreadable += Number(answer === null);
    unweighed += Number(answer?.isWeighed === false);
    return { text, spans, usefulness: answer?.share ?? null };
  });
  const sums = summed(read.map((each) => each.counts));
  return { id, found, counts: { ...sums, merged: points.length - groups.length, ...counts, unreadable, unweighed } };
}

async function extractPoints(
  question: string,
  document: SourceDocument,
  rounds: number,
  order: DocumentOrder,
  model: AskedModel,
) {
  const prompts = { first: model.prompt('extract-for-question'), more: model.prompt('extract-more-for-question') };
  const { keyPoints, unverified, failures } = await extractWithModel(document, { model, prompts, rounds, question });
  const other = failures.find((failure) => !isUnanswerable(failure));
  if (other !== undefined) throw other;
  const points = keyPoints.map((point): PlacedPoint => {
    const quotes = [point, ...(point.moreQuotes ?? [])];
    const spans = quotes.map(({ start, end }) => ({ document: document.id, start, end }));
    return { text: point.text, spans: spansOf([{ text: point.text, spans }], order) };
  });
  return { points, counts: { extracted: points.length, unverified: unverified.length, unread: failures.length } };
}

export const peoplePointsSchema = z.strictObject({
  case: text(500).min(1),
  keyPoints: z.array(text(20_000).regex(/\S/, 'is blank')).min(1),
});
export type PeoplePoints = z.output<typeof peoplePointsSchema>;

interface CoveredPoints {
  readonly case: string;
  readonly points: number;
  readonly before: number;
  readonly after: number;
}

/**
 * Counts people's key points that a made point entails, before and after the filter (Qi et al. 2024, section 3.3).
 * @throws errors of the judge
 */
export async function extractionRecall(
  made: readonly CaseKeyPoints[],
  people: readonly PeoplePoints[],
  threshold: number,
  judge: Judge,
): Promise<CoveredPoints[]> {
  const byId = new Map(made.map((each) => [each.id, each]));
  const count = async (claims: readonly string[], points: readonly WeighedPoint[]): Promise<number> => {
    if (points.length === 0) return 0;
    const texts = points.map((point) => point.text);
    const verdicts = await judge.entailment(claims.map((claim) => ({ claim, texts })));
    return verdicts.filter(({ holds }) => holds).length;
  };
  const covered: CoveredPoints[] = [];
  for (const { case: id, keyPoints } of people) {
    const own = byId.get(id);
    const before = await count(keyPoints, own?.found ?? []);
    const after = own === undefined ? 0 : await count(keyPoints, keptPoints(own, threshold));
    covered.push({ case: id, points: keyPoints.length, before, after });
  }
  return covered;
}

/** Each of people's points is compared with half of the found ones, on average. */
export function recallCalls(made: readonly CaseKeyPoints[], people: readonly PeoplePoints[]): CallEstimate {
  const found = new Map(made.map((each) => [each.id, each.found.length]));
  const pairs = people.reduce((sum, { case: id, keyPoints }) => sum + keyPoints.length * (found.get(id) ?? 0), 0);
  return totalCalls([[Math.ceil(pairs / 2), 420, 80]]);
}

/** Shares of people's key points covered, in per cent: a row per case, then the total. */
export function printRecall(covered: readonly CoveredPoints[]): string {
  const total = (name: 'points' | 'before' | 'after'): number => covered.reduce((sum, each) => sum + each[name], 0);
  const all = { case: '(all points)', points: total('points'), before: total('before'), after: total('after') };
  const rows = [...covered, all].map(({ case: id, points, before, after }) => [
    id,
    String(points),
    ...[before, after].map((count) => ((100 * count) / points).toFixed(1)),
  ]);
  return textTable(['case', "people's points", 'covered before the filter %', 'after it %'], rows);
}
