import { groupBy } from '../../text/index.ts';
import { type Decision, FIELDS, type Field, isGraded, levelOf, SCALES } from '../annotation/label.ts';
import { type Estimate, estimate, estimateMean, type Statistic, weightedMean } from '../results/estimate.ts';
import { pearson, spearman } from '../validation/correlation.ts';

/** How far people agree on one field; intervals draw items, or whole cases where these are known. */
export interface FieldAgreement {
  readonly field: Field;
  /** Items with a label. */
  readonly items: number;
  /** Names, in order. */
  readonly annotators: readonly string[];
  readonly labels: number;
  /** Labels by answer, in the order of the scale. */
  readonly answers: readonly number[];
  /** Of the items' mean levels, from 0; it means something on graded scales only. */
  readonly meanLevel: Estimate;
  /** Share, 0 to 1, of pairs of ratings of an item that agree, meant over items with two or more. */
  readonly agreement: Estimate;
  /** Randolph's, over the same items. */
  readonly freeMarginal: Estimate;
  readonly pairs: readonly PairAgreement[];
  /** People's mean level of an item against the score of a machine; null where no item has both. */
  readonly withScores: { readonly pearson: Estimate; readonly spearman: Estimate } | null;
}

/** Of the items that both labelled. */
export interface PairAgreement {
  readonly annotators: readonly [string, string];
  readonly items: number;
  readonly agreement: Estimate;
  /** Cohen's. */
  readonly kappa: Estimate;
  /** Cohen's with linear weights; null for a scale of two, where it is the same, and for one without an order. */
  readonly weighted: Estimate | null;
  /** Items by the answer of the first (rows) and of the second (columns), in the order of the scale. */
  readonly confusion: readonly (readonly number[])[];
}

/** What is known of an item beside its labels. */
export interface KnownItem {
  /** What is drawn together with it. */
  readonly case: string;
  readonly score: number | null;
}

/** The field that a score of usefulness speaks of. */
const SCORED: Field = 'helps';

/**
 * Agreement on every field that was labelled.
 *
 * @param decisions one for each item, annotator and field
 * @param known by id of item; null where nothing is known of any
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

/** An item with the levels that annotators gave it. */
interface Rated {
  readonly cluster: string;
  readonly score: number | null;
  readonly levels: ReadonlyMap<string, number>;
}

function agreementOn(
  field: Field,
  labelled: readonly Decision[],
  known: ReadonlyMap<string, KnownItem> | null,
): FieldAgreement {
  // Intervals depend on the order.
  const byItem = [...groupBy(labelled, ({ item }) => item)].sort(([a], [b]) => (a < b ? -1 : 1));
  const rated = byItem.map(([item, given]): Rated => {
    const levels = new Map(given.map(({ annotator, value }) => [annotator, levelOf(field, value)]));
    return { cluster: known?.get(item)?.case ?? item, score: known?.get(item)?.score ?? null, levels };
  });
  const annotators = [...new Set(labelled.map(({ annotator }) => annotator))].sort();
  const categories = SCALES[field].length;
  const several = rated.flatMap((each) => {
    const share = agreeingPairs(countsOf(each, categories));
    return share === null ? [] : [{ ...each, share }];
  });
  const shares = several.map(({ share }) => share);
  return {
    field,
    items: rated.length,
    annotators,
    labels: labelled.length,
    answers: SCALES[field].map((answer) => labelled.filter(({ value }) => value === answer).length),
    meanLevel: estimateMean(
      rated.map(({ levels }) => sumOf(levels.values()) / levels.size),
      clustersOf(rated),
    ),
    agreement: estimateMean(shares, clustersOf(several)),
    freeMarginal: estimate(clustersOf(several), freeMarginalKappa(shares, categories)),
    pairs: annotators.flatMap((first, index) =>
      annotators.slice(index + 1).map((second) => pairOf(rated, first, second, field)),
    ),
    withScores: field === SCORED ? correlationsOf(rated) : null,
  };
}

function pairOf(rated: readonly Rated[], first: string, second: string, field: Field): PairAgreement {
  const categories = SCALES[field].length;
  const both = rated.flatMap(({ cluster, levels }) => {
    const [a, b] = [levels.get(first), levels.get(second)];
    return a === undefined || b === undefined ? [] : [{ cluster, a, b }];
  });
  const [as, bs] = [both.map(({ a }) => a), both.map(({ b }) => b)];
  const clusters = clustersOf(both);
  const scale = Array.from({ length: categories }, (_, level) => level);
  return {
    annotators: [first, second],
    items: both.length,
    agreement: estimateMean(
      both.map(({ a, b }) => Number(a === b)),
      clusters,
    ),
    kappa: estimate(clusters, cohensKappa(as, bs, categories)),
    weighted: isGraded(field) ? estimate(clusters, cohensKappa(as, bs, categories, 'linear')) : null,
    confusion: scale.map((row) => scale.map((column) => both.filter(({ a, b }) => a === row && b === column).length)),
  };
}

function correlationsOf(rated: readonly Rated[]): FieldAgreement['withScores'] {
  const scored = rated.flatMap(({ cluster, score, levels }) =>
    score === null ? [] : [{ cluster, score, level: sumOf(levels.values()) / levels.size }],
  );
  if (scored.length === 0) return null;
  const [levels, scores] = [scored.map(({ level }) => level), scored.map(({ score }) => score)];
  const clusters = clustersOf(scored);
  return {
    pearson: estimate(clusters, (weights) => pearson(levels, scores, weights)),
    spearman: estimate(clusters, spearman(levels, scores)),
  };
}

function countsOf({ levels }: Rated, categories: number): number[] {
  const counts = new Array<number>(categories).fill(0);
  for (const level of levels.values()) counts[level]++;
  return counts;
}

/** Of whole numbers: exact. */
function sumOf(levels: Iterable<number>): number {
  let sum = 0;
  for (const level of levels) sum += level;
  return sum;
}

function clustersOf(rated: readonly { readonly cluster: string }[]): string[] {
  return rated.map(({ cluster }) => cluster);
}

/**
 * The share of an item's pairs of ratings that agree.
 *
 * @param counts ratings of the item by category
 * @returns null for fewer than two ratings
 */
export function agreeingPairs(counts: readonly number[]): number | null {
  const ratings = counts.reduce((sum, count) => sum + count, 0);
  if (ratings < 2) return null;
  return counts.reduce((sum, count) => sum + count * (count - 1), 0) / (ratings * (ratings - 1));
}

/**
 * The free-marginal multirater kappa, (P_o - 1/k) / (1 - 1/k): agreement beyond that of raters who give each of k categories
 * equally often, where nobody was told how often to give them (Randolph 2005). P_o is the mean over items of the share of
 * pairs that agree, so that items may have different numbers of ratings.
 *
 * @param agreeing for each item `agreeingPairs`
 * @param categories k: those of the scale, whether or not they were given
 * @returns the kappa of items that are counted as often as their weights say; null where none counts, and for a scale of
 *   fewer than two categories
 */
export function freeMarginalKappa(agreeing: ArrayLike<number>, categories: number): Statistic {
  const chance = 1 / categories;
  return (weights) => {
    const observed = weightedMean(agreeing, weights);
    return observed === null || categories < 2 ? null : (observed - chance) / (1 - chance);
  };
}

/** How much a disagreement counts: every one alike (Cohen 1960), or by the steps between the two (Cohen 1968, linear). */
export type Disagreement = 'equal' | 'linear';

/**
 * Cohen's kappa of two raters: 1 less the disagreement that is seen, over that which their marginals would bring by chance
 * (Cohen 1960, "A coefficient of agreement for nominal scales"; weighted: Cohen 1968).
 *
 * @param first the category that the first rater gave each item, from 0, in the order of the scale
 * @param second the same of the second rater, for the same items
 * @param categories of the scale, whether or not they were given
 * @returns the kappa of items that are counted as often as their weights say; null where no item counts, and where both
 *   raters gave one and the same category throughout: chance alone would agree on everything
 */
export function cohensKappa(
  first: ArrayLike<number>,
  second: ArrayLike<number>,
  categories: number,
  disagreement: Disagreement = 'equal',
): Statistic {
  const cost = (a: number, b: number) => (disagreement === 'linear' ? Math.abs(a - b) : Number(a !== b));
  return (weights) => {
    const rows = new Float64Array(categories);
    const columns = new Float64Array(categories);
    let total = 0;
    let seen = 0;
    for (let item = 0; item < first.length; item++) {
      rows[first[item]] += weights[item];
      columns[second[item]] += weights[item];
      total += weights[item];
      seen += weights[item] * cost(first[item], second[item]);
    }
    let chance = 0;
    for (let a = 0; a < categories; a++) {
      for (let b = 0; b < categories; b++) chance += rows[a] * columns[b] * cost(a, b);
    }
    return chance === 0 ? null : 1 - (seen * total) / chance;
  };
}
