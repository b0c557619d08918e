import { type Field, SCALES } from '../../contract/index.ts';
import type { DigestDeps } from '../../digest/index.ts';
import { type EvaluationAnswer, evaluate, type Judge, type JudgeRequest, judgeOf } from '../../evaluation/index.ts';
import type { CallUsage } from '../../models/index.ts';
import { groupBy } from '../../text/index.ts';
import { type Estimate, estimate, estimateMean } from '../results/estimate.ts';
import type { AnnotationItem } from './items.ts';
import { askedOf, type JudgedRecord, type LabelledSummary } from './judged-records.ts';
import { type Decision, FIELDS, isGraded, levelOf } from './labels.ts';
import {
  agreeingPairs,
  cohensKappa,
  type Disagreement,
  freeMarginalKappa,
  krippendorffAlpha,
  pearson,
  spearman,
} from './statistics.ts';

/** Items of a cluster are resampled together. */
interface Clustered {
  readonly cluster: string;
}

/** Levels from two raters, from 0. */
interface RatedPair extends Clustered {
  readonly first: number;
  readonly second: number;
}

/** How far raters agree, a row of a table; figures that the scale does not have are absent. */
export interface Agreement {
  readonly raters: string;
  readonly items: number;
  readonly figures: Readonly<Partial<Record<FigureName, Estimate>>>;
  /** Items by first (rows) and second answer, in scale order; null for more than two raters. */
  readonly confusion: readonly (readonly number[])[] | null;
}

/** Titles of all figures, in the order of the table. Correlations are of levels, or of people's mean level with a score. */
export const FIGURES = {
  agreement: 'agreement',
  kappa: "Cohen's kappa",
  weighted: 'linear weights',
  freeMarginal: 'free-marginal kappa',
  alpha: "Krippendorff's alpha",
  pearson: 'Pearson',
  spearman: 'Spearman',
  precision: 'precision of yes',
  recall: 'recall of yes',
  linked: 'same bullet',
  bias: 'bias',
} as const;
export type FigureName = keyof typeof FIGURES;

function pairAgreement(raters: string, pairs: readonly RatedPair[], categories: number, isOrdered: boolean): Agreement {
  const [firsts, seconds] = levelsOfBoth(pairs);
  const confusion = Array.from({ length: categories }, () => new Array<number>(categories).fill(0));
  for (const { first, second } of pairs) confusion[first][second]++;
  const kappa = (disagreement: Disagreement) =>
    estimate(clustersOf(pairs), cohensKappa(firsts, seconds, categories, disagreement));
  return {
    ...{ raters, confusion, items: pairs.length },
    figures: {
      agreement: meanOf(pairs, isEqual),
      kappa: kappa('equal'),
      ...(isOrdered && categories > 2 && { weighted: kappa('linear') }),
      alpha: alphaOf(
        pairs.map(({ cluster, first, second }) => ({ cluster, levels: [first, second] })),
        categories,
        isOrdered,
      ),
    },
  };
}

function alphaOf(
  items: readonly (Clustered & { readonly levels: readonly number[] })[],
  categories: number,
  isOrdered: boolean,
): Estimate {
  const counts = items.map(({ levels }) => countsOf(levels, categories));
  return estimate(clustersOf(items), krippendorffAlpha(counts, isOrdered ? 'linear' : 'equal'));
}

function countsOf(levels: Iterable<number>, categories: number): number[] {
  const counts = new Array<number>(categories).fill(0);
  for (const level of levels) counts[level]++;
  return counts;
}

function correlations(pairs: readonly RatedPair[]) {
  const [firsts, seconds] = levelsOfBoth(pairs);
  return {
    pearson: estimate(clustersOf(pairs), (weights) => pearson(firsts, seconds, weights)),
    spearman: estimate(clustersOf(pairs), spearman(firsts, seconds)),
  };
}

const levelsOfBoth = (pairs: readonly RatedPair[]) => [
  pairs.map(({ first }) => first),
  pairs.map((pair) => pair.second),
];
const clustersOf = (items: readonly Clustered[]): string[] => items.map(({ cluster }) => cluster);
const meanOf = <Item extends Clustered>(items: readonly Item[], of: (item: Item) => number): Estimate =>
  estimateMean(items.map(of), clustersOf(items));
const isEqual = ({ first, second }: RatedPair): number => Number(first === second);

/** Agreement on one field; intervals resample cases. */
export interface FieldAgreement {
  readonly field: Field;
  readonly items: number;
  readonly annotators: readonly string[];
  readonly labels: number;
  /** Labels by answer, in scale order. */
  readonly answers: readonly number[];
  /** Mean of the items' mean levels, from 0; meaningful for graded scales only. */
  readonly meanLevel: Estimate;
  /** All annotators, then each pair of them, then their mean level and the model's score, if known. */
  readonly rows: readonly Agreement[];
}

export type KnownItem = Pick<AnnotationItem, 'case' | 'score'>;

/**
 * @param decisions one for each item, annotator and field
 * @param known by id of item
 */
export function agreementOf(decisions: readonly Decision[], known: ReadonlyMap<string, KnownItem>): FieldAgreement[] {
  return FIELDS.flatMap((field) => {
    const labelled = decisions.filter((decision) => decision.field === field);
    return labelled.length === 0 ? [] : [agreementOn(field, labelled, known)];
  });
}

function agreementOn(
  field: Field,
  labelled: readonly Decision[],
  known: ReadonlyMap<string, KnownItem>,
): FieldAgreement {
  // Intervals depend on the order.
  const byItem = [...groupBy(labelled, ({ item }) => item)].sort(([a], [b]) => (a < b ? -1 : 1));
  const rated = byItem.map(([item, given]) => {
    const levels = new Map(given.map(({ annotator, value }) => [annotator, levelOf(field, value)]));
    const mean = [...levels.values()].reduce((sum, level) => sum + level, 0) / levels.size;
    return { cluster: known.get(item)?.case ?? item, score: known.get(item)?.score ?? null, levels, mean };
  });
  const annotators = [...new Set(labelled.map(({ annotator }) => annotator))].sort();
  const categories = SCALES[field].length;
  const pairs = annotators.flatMap((one, index) =>
    annotators.slice(index + 1).map((other) => {
      const both = rated.flatMap(({ cluster, levels }): RatedPair[] => {
        const [first, second] = [levels.get(one), levels.get(other)];
        return first === undefined || second === undefined ? [] : [{ cluster, first, second }];
      });
      return pairAgreement(`${one} / ${other}`, both, categories, isGraded(field));
    }),
  );
  const scored = rated.flatMap(({ cluster, score, mean }) =>
    score === null ? [] : [{ cluster, first: mean, second: score }],
  );
  const withScores: Agreement = {
    ...{ raters: 'mean level / usefulness', items: scored.length, confusion: null },
    figures: correlations(scored),
  };
  return {
    ...{ field, annotators, items: rated.length, labels: labelled.length },
    answers: SCALES[field].map((answer) => labelled.filter(({ value }) => value === answer).length),
    meanLevel: meanOf(rated, ({ mean }) => mean),
    rows: [
      agreementOfAll(rated, categories, isGraded(field)),
      ...pairs,
      ...(field === 'helps' && scored.length > 0 ? [withScores] : []),
    ],
  };
}

function agreementOfAll(
  rated: readonly (Clustered & { readonly levels: ReadonlyMap<string, number> })[],
  categories: number,
  isOrdered: boolean,
): Agreement {
  const several = rated.flatMap(({ cluster, levels }) => {
    const share = agreeingPairs(countsOf(levels.values(), categories));
    return share === null ? [] : [{ cluster, share, levels: [...levels.values()] }];
  });
  const shares = several.map(({ share }) => share);
  return {
    ...{ raters: 'all', items: several.length, confusion: null },
    figures: {
      agreement: estimateMean(shares, clustersOf(several)),
      freeMarginal: estimate(clustersOf(several), freeMarginalKappa(shares, categories)),
      alpha: alphaOf(several, categories, isOrdered),
    },
  };
}

/** Agreement of a judge with people on one field; intervals resample records. */
export interface TaskAgreement extends Agreement {
  readonly field: Field;
  readonly records: number;
}

/** People's level, then the judge's, clustered by record. */
export interface DecidedItem extends RatedPair {
  readonly field: Field;
  /** The judge's, 0 to 1. */
  readonly score: number;
}

/** Correlation (phi), precision and recall are those of yes, and absent from outcomes, which are unordered. */
export function taskAgreement(items: readonly DecidedItem[]): TaskAgreement[] {
  return [...groupBy(items, ({ field }) => field)].map(([field, own]) => {
    const { figures, ...pair } = pairAgreement('people / judge', own, SCALES[field].length, isGraded(field));
    const [said, meant] = [own.filter(({ second }) => second === 1), own.filter(({ first }) => first === 1)];
    const ofYes = SCALES[field].length === 2 && {
      pearson: correlations(own).pearson,
      precision: meanOf(said, isEqual),
      recall: meanOf(meant, isEqual),
    };
    return { ...pair, figures: { ...figures, ...ofYes }, field, records: new Set(clustersOf(own)).size };
  });
}

/** What a judge says of an item, 0 to 1, and whether people say yes. */
interface ScoredItem extends Clustered {
  readonly truth: boolean;
  readonly score: number;
}

/** Errors, in per cent, of a judge that says yes from a score on. */
export interface ErrorCurve {
  readonly judge: string;
  /** Share of the items that people deny. */
  readonly falsePositives: readonly Estimate[];
  /** Share of the items that people affirm. */
  readonly misses: readonly Estimate[];
}

export const THRESHOLDS = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1] as const;

function errorCurve(judge: string, items: readonly ScoredItem[]): ErrorCurve {
  const [yes, no] = [items.filter(({ truth }) => truth), items.filter(({ truth }) => !truth)];
  return {
    judge,
    falsePositives: THRESHOLDS.map((threshold) => meanOf(no, ({ score }) => (score >= threshold ? 100 : 0))),
    misses: THRESHOLDS.map((threshold) => meanOf(yes, ({ score }) => (score < threshold ? 100 : 0))),
  };
}

/** Of the fields that people answer by yes or no. */
export function taskCurves(items: readonly DecidedItem[]): ErrorCurve[] {
  return [...groupBy(items, ({ field }) => field)].flatMap(([field, own]) =>
    SCALES[field].length === 2
      ? [
          errorCurve(
            field,
            own.map(({ cluster, first, score }) => ({ cluster, truth: first === 1, score })),
          ),
        ]
      : [],
  );
}

/** Levels of coverage in SummHay, in scale order. */
export const COVERAGES = ['0', '0.5', '1'] as const;

export interface CoverageAgreement {
  readonly summaries: number;
  /** The judge by its levels, by its graded score, then each recorded judge. */
  readonly rows: readonly Agreement[];
  /** Whether an insight is covered at all. */
  readonly curves: readonly ErrorCurve[];
}

/**
 * Agreement on how far summaries cover insights (Laban et al. 2024, section 4); intervals resample summaries, so that
 * these come in a fixed order. Bias is the mean of a judge's level less people's, -1 to 1.
 * @param answers one of each summary
 */
export function coverageAgreement(
  summaries: readonly LabelledSummary[],
  answers: readonly (EvaluationAnswer & { readonly metric: 'summhay' })[],
): CoverageAgreement {
  const judged = summaries.flatMap(({ insights }, place) =>
    insights.map((insight, at) => ({
      ...insight,
      ...{ cluster: String(place), first: 2 * insight.human, judged: answers[place].insights[at] },
    })),
  );
  const rowOf = (raters: string, levelOf: (each: (typeof judged)[number]) => number | undefined): Agreement => {
    const rated = judged.flatMap((each) => {
      const level = levelOf(each);
      return level === undefined ? [] : [{ ...each, second: 2 * level }];
    });
    const { figures, ...pair } = pairAgreement(raters, rated, COVERAGES.length, true);
    const bias = meanOf(rated, ({ first, second }) => (second - first) / 2);
    return { ...pair, figures: { ...figures, ...correlations(rated), bias } };
  };
  const ofLevels = rowOf('people / judge', (each) => each.judged.coverage / 100);
  const linkable = judged.filter(({ human, bullet }) => human > 0 && bullet !== null);
  const linked = meanOf(linkable, (each) => Number(each.bullet === each.judged.bullet));
  const score = correlations(judged.map((each) => ({ ...each, second: each.judged.score })));
  const models = [...new Set(judged.flatMap((each) => Object.keys(each.models ?? {})))].sort();
  const curveOf = (judge: string, scoreOf: (each: (typeof judged)[number]) => number | undefined) =>
    errorCurve(
      judge,
      judged.flatMap((each) => {
        const score = scoreOf(each);
        return score === undefined ? [] : [{ cluster: each.cluster, truth: each.human > 0, score }];
      }),
    );
  return {
    summaries: summaries.length,
    curves: [
      curveOf('judge', (each) => each.judged.score),
      ...models.map((model) => curveOf(model, (each) => each.models?.[model])),
    ],
    rows: [
      { ...ofLevels, figures: { ...ofLevels.figures, linked } },
      { raters: 'people / graded score', items: judged.length, figures: score, confusion: null },
      ...models.map((model) => rowOf(`people / ${model}`, (each) => each.models?.[model])),
    ],
  };
}

/** People's level of every item: the majority label, the lower of a tie; without labels, the record's own. */
export function humanLevels(records: readonly JudgedRecord[], decisions: readonly Decision[]) {
  const byItem = groupBy(decisions, ({ item, field }) => JSON.stringify([item, field]));
  return records.flatMap((each, record) =>
    askedOf(each).flatMap(({ item, human, place }) =>
      item.fields.flatMap((field) => {
        const labels = byItem.get(JSON.stringify([item.id, field]))?.map(({ value }) => value) ?? [human[field] ?? ''];
        const level = majority(labels.map((value) => levelOf(field, value)));
        return level < 0 ? [] : [{ record, place, field, level }];
      }),
    ),
  );
}

function majority(levels: readonly number[]): number {
  const [[level]] = [...groupBy(levels, (each) => each).values()].sort((a, b) => b.length - a.length || a[0] - b[0]);
  return level;
}

export type JudgeUsage = CallUsage & { readonly reusedVerdicts: number };

interface JudgedResult {
  readonly levelAt: (place: number, field: Field) => number;
  /** 0 to 1; the level of a judge that gives no score. */
  readonly scoreAt: (place: number, field: Field) => number;
  readonly usage: JudgeUsage;
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
    const levelAt = (place: number) => answer.sentences[place].outcome - 1;
    return { levelAt, scoreAt: levelAt, usage: answer.usage };
  }
  const judge = judgeOf(request, deps, { signal });
  return { ...(await levelsOf(record, judge)), usage: judge.usage() };
}

async function levelsOf(
  record: Exclude<JudgedRecord, { task: 'argue' }>,
  judge: Judge,
): Promise<Pick<JudgedResult, 'levelAt' | 'scoreAt'>> {
  const byLevel = (levelAt: JudgedResult['levelAt']) => ({ levelAt, scoreAt: levelAt });
  if (record.task === 'answers') {
    const said = await judge.answered(record.summary, record.questions);
    return byLevel((place, field) => Number(field === 'answerable' ? said[place].answerable : said[place].matches));
  }
  if (record.task === 'coverage') {
    const said = await judge.coverage(
      record.insights.map((insight) => insight.text),
      record.bullets,
    );
    return { levelAt: (place) => said[place].level / 50, scoreAt: (place) => said[place].score };
  }
  if (record.task === 'entailment') {
    const said = await judge.entailment(record.claims.map(({ claim }) => ({ claim, texts: [record.text] })));
    return { levelAt: (place) => Number(said[place].holds), scoreAt: (place) => said[place].score };
  }
  const nuggets = record.nuggets.map(({ question, answers }, place) => {
    return { id: String(place), question, answers: answers.map((text) => ({ text })) };
  });
  const [reported] = await judge.reported([record.sentence], nuggets);
  return byLevel((place) => Number(reported.includes(place)));
}
