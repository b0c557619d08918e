import type { DigestDeps } from '../../digest/index.ts';
import { evaluate, type Judge, type JudgeRequest, judgeOf } from '../../evaluation/index.ts';
import type { CallUsage } from '../../models/index.ts';
import { groupBy } from '../../text/index.ts';
import { type Estimate, estimate, estimateMean } from '../results/estimate.ts';
import { itemsOfRecord, type JudgedItem, type JudgedRecord } from './judged-records.ts';
import { type Decision, FIELDS, type Field, isGraded, levelOf, SCALES } from './labels.ts';
import { agreeingPairs, cohensKappa, freeMarginalKappa, pearson, spearman } from './statistics.ts';

/** Levels from two raters; items of a cluster are resampled together. */
interface RatedPair {
  readonly cluster: string;
  readonly first: number;
  readonly second: number;
}

export interface PairAgreement {
  readonly items: number;
  readonly agreement: Estimate;
  readonly kappa: Estimate;
  /** Linear weights; null for scales of two, where it equals `kappa`, and without an order. */
  readonly weighted: Estimate | null;
  /** Items by first (rows) and second answer, in scale order. */
  readonly confusion: readonly (readonly number[])[];
}

function pairAgreement(field: Field, pairs: readonly RatedPair[]): PairAgreement {
  const categories = SCALES[field].length;
  const [firsts, seconds] = [pairs.map(({ first }) => first), pairs.map(({ second }) => second)];
  const scale = Array.from({ length: categories }, (_, level) => level);
  const clusters = clustersOf(pairs);
  return {
    items: pairs.length,
    agreement: agreementOfPairs(pairs),
    kappa: estimate(clusters, cohensKappa(firsts, seconds, categories)),
    weighted: isGraded(field) ? estimate(clusters, cohensKappa(firsts, seconds, categories, 'linear')) : null,
    confusion: scale.map((row) =>
      scale.map((column) => pairs.filter(({ first, second }) => first === row && second === column).length),
    ),
  };
}

function agreementOfPairs(pairs: readonly RatedPair[]): Estimate {
  return estimateMean(
    pairs.map(({ first, second }) => Number(first === second)),
    clustersOf(pairs),
  );
}

function clustersOf(items: readonly { readonly cluster: string }[]): string[] {
  return items.map(({ cluster }) => cluster);
}

/** Agreement on one field; intervals resample items, or cases if known. */
export interface FieldAgreement {
  readonly field: Field;
  readonly items: number;
  readonly annotators: readonly string[];
  readonly labels: number;
  readonly answers: readonly number[];
  /** Mean of the items' mean levels, from 0; meaningful for graded scales only. */
  readonly meanLevel: Estimate;
  /** Share, 0 to 1, of agreeing pairs of ratings, over items with two or more. */
  readonly agreement: Estimate;
  /** Randolph's kappa, over the same items. */
  readonly freeMarginal: Estimate;
  readonly pairs: readonly (PairAgreement & { readonly annotators: readonly [string, string] })[];
  /** People's mean level against a machine's score; null if no item has both. */
  readonly withScores: { readonly pearson: Estimate; readonly spearman: Estimate } | null;
}

export interface KnownItem {
  readonly case: string;
  readonly score: number | null;
}

const SCORED: Field = 'helps';

/**
 * @param decisions one for each item, annotator and field
 * @param known by id of item; null if no item is known
 */
export function agreementOf(
  decisions: readonly Decision[],
  known: ReadonlyMap<string, KnownItem> | null,
): FieldAgreement[] {
  return FIELDS.flatMap((field) => {
    const labelled = decisions.filter((decision) => decision.field === field);
    return labelled.length === 0 ? [] : [agreementOn(field, labelled, known)];
  });
}

function agreementOn(
  field: Field,
  labelled: readonly Decision[],
  known: ReadonlyMap<string, KnownItem> | null,
): FieldAgreement {
  // Intervals depend on the order.
  const byItem = [...groupBy(labelled, ({ item }) => item)].sort(([a], [b]) => (a < b ? -1 : 1));
  const rated = byItem.map(([item, given]) => {
    const levels = new Map(given.map(({ annotator, value }) => [annotator, levelOf(field, value)]));
    const mean = [...levels.values()].reduce((sum, level) => sum + level, 0) / levels.size;
    return { cluster: known?.get(item)?.case ?? item, score: known?.get(item)?.score ?? null, levels, mean };
  });
  const annotators = [...new Set(labelled.map(({ annotator }) => annotator))].sort();
  const categories = SCALES[field].length;
  const several = rated.flatMap(({ cluster, levels }) => {
    const counts = new Array<number>(categories).fill(0);
    for (const level of levels.values()) counts[level]++;
    const share = agreeingPairs(counts);
    return share === null ? [] : [{ cluster, share }];
  });
  const shares = several.map(({ share }) => share);
  const pairsOf = (one: string, other: string): RatedPair[] =>
    rated.flatMap(({ cluster, levels }) => {
      const [first, second] = [levels.get(one), levels.get(other)];
      return first === undefined || second === undefined ? [] : [{ cluster, first, second }];
    });
  const scored = rated.flatMap(({ cluster, score, mean }) => (score === null ? [] : [{ cluster, score, mean }]));
  const [means, scores] = [scored.map(({ mean }) => mean), scored.map(({ score }) => score)];
  return {
    field,
    items: rated.length,
    annotators,
    labels: labelled.length,
    answers: SCALES[field].map((answer) => labelled.filter(({ value }) => value === answer).length),
    meanLevel: estimateMean(
      rated.map(({ mean }) => mean),
      clustersOf(rated),
    ),
    agreement: estimateMean(shares, clustersOf(several)),
    freeMarginal: estimate(clustersOf(several), freeMarginalKappa(shares, categories)),
    pairs: annotators.flatMap((one, index) =>
      annotators
        .slice(index + 1)
        .map((other) => ({ annotators: [one, other] as const, ...pairAgreement(field, pairsOf(one, other)) })),
    ),
    withScores:
      field !== SCORED || scored.length === 0
        ? null
        : {
            pearson: estimate(clustersOf(scored), (weights) => pearson(means, scores, weights)),
            spearman: estimate(clustersOf(scored), spearman(means, scores)),
          },
  };
}

/** Agreement of a judge with people on one field; intervals resample records. */
export interface TaskAgreement extends PairAgreement {
  readonly field: Field;
  readonly records: number;
  /** Pearson's (phi for yes and no), then precision and recall of the judge's yes; null for outcomes, which are unordered. */
  readonly correlation: Estimate | null;
  readonly precision: Estimate | null;
  readonly recall: Estimate | null;
}

/** People's level, then the judge's, clustered by record. */
export interface DecidedItem extends RatedPair {
  readonly field: Field;
}

export function taskAgreement(items: readonly DecidedItem[]): TaskAgreement[] {
  return [...groupBy(items, ({ field }) => field)].map(([field, own]) => {
    const isBinary = SCALES[field].length === 2;
    const [people, judge] = [own.map(({ first }) => first), own.map(({ second }) => second)];
    const clusters = clustersOf(own);
    return {
      field,
      records: new Set(clusters).size,
      ...pairAgreement(field, own),
      correlation: isBinary ? estimate(clusters, (weights) => pearson(people, judge, weights)) : null,
      precision: isBinary ? agreementOfPairs(own.filter(({ second }) => second === 1)) : null,
      recall: isBinary ? agreementOfPairs(own.filter(({ first }) => first === 1)) : null,
    };
  });
}

/** People's level of every item: the majority label, the lower of a tie; without labels, the record's own. */
export function humanLevels(
  records: readonly JudgedRecord[],
  decisions: readonly Decision[],
): (JudgedItem & { readonly level: number })[] {
  const byItem = groupBy(decisions, ({ item, field }) => JSON.stringify([item, field]));
  return records.flatMap(itemsOfRecord).flatMap((item) => {
    const labels = byItem.get(JSON.stringify([item.item, item.field])) ?? [];
    const given = labels.length > 0 ? labels.map(({ value }) => value) : [item.human ?? ''];
    const level = majority(given.map((value) => levelOf(item.field, value)));
    return level < 0 ? [] : [{ ...item, level }];
  });
}

function majority(levels: readonly number[]): number {
  const counts = [...groupBy(levels, (level) => level)].map(([level, same]) => ({ level, count: same.length }));
  return counts.sort((a, b) => b.count - a.count || a.level - b.level)[0].level;
}

interface JudgedResult {
  readonly levelAt: (place: number, field: Field) => number;
  readonly usage: CallUsage & { readonly reusedVerdicts: number };
}

export async function judgeRecord(
  record: JudgedRecord,
  request: JudgeRequest,
  deps: DigestDeps,
  signal: AbortSignal,
): Promise<JudgedResult> {
  if (record.task === 'argue') {
    const { nuggets, documents, options, sentences } = record;
    const report = { sentences: sentences.map(({ text, citations }) => ({ text, citations })) };
    const asked = { metric: 'argue' as const, request: record.request, report, nuggets, documents, options };
    const answer = await evaluate({ ...asked, ...request }, deps, { signal });
    if (answer.metric !== 'argue') throw new TypeError('a report was scored by another metric');
    return { levelAt: (place) => answer.sentences[place].outcome - 1, usage: answer.usage };
  }
  const judge = judgeOf(request, deps, { signal });
  const levelAt = await levelsOf(record, judge);
  return { levelAt, usage: judge.usage() };
}

async function levelsOf(
  record: Exclude<JudgedRecord, { task: 'argue' }>,
  judge: Judge,
): Promise<JudgedResult['levelAt']> {
  if (record.task === 'answers') {
    const said = await judge.answered(record.summary, record.questions);
    return (place, field) => Number(field === 'answerable' ? said[place].answerable : said[place].matches);
  }
  if (record.task === 'entailment') {
    const said = await judge.entailment(record.claims.map(({ claim }) => ({ claim, texts: [record.text] })));
    return (place) => Number(said[place].holds);
  }
  const nuggets = record.nuggets.map(({ question, answers }, place) => ({
    id: String(place),
    question,
    answers: answers.map((text) => ({ text })),
  }));
  const [reported] = await judge.reported([record.sentence], nuggets);
  return (place) => Number(reported.includes(place));
}
