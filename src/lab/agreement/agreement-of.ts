import { type Estimate, estimate, estimateMean } from '../bulk/estimate.ts';
import { pearson } from '../validation/pearson.ts';
import { spearman } from '../validation/spearman.ts';
import { groupBy } from '../../text/chunks.ts';
import { type Decision, FIELDS, type Field, levelOf, SCALES } from '../annotation/label.ts';
import { cohensKappa } from './cohens-kappa.ts';
import { agreeingPairs, freeMarginalKappa } from './free-marginal-kappa.ts';

/** How far people agree on one field; intervals draw items, or whole cases where these are known. */
export interface FieldAgreement {
  readonly field: Field;
  /** Items with a label. */
  readonly items: number;
  /** Names, in order. */
  readonly annotators: readonly string[];
  readonly labels: number;
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
  /** Cohen's with linear weights; null for a scale of two, where it is the same. */
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
    agreement: estimateMean(shares, clustersOf(several)),
    freeMarginal: estimate(clustersOf(several), freeMarginalKappa(shares, categories)),
    pairs: annotators.flatMap((first, index) =>
      annotators.slice(index + 1).map((second) => pairOf(rated, first, second, categories)),
    ),
    withScores: field === SCORED ? correlationsOf(rated) : null,
  };
}

function pairOf(rated: readonly Rated[], first: string, second: string, categories: number): PairAgreement {
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
    weighted: categories > 2 ? estimate(clusters, cohensKappa(as, bs, categories, 'linear')) : null,
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
