import {
  type CurveBin,
  positionCurve,
  positionSensitivity,
  type SourceCoverageAnswer,
} from '../../evaluation/index.ts';
import { seededRandom } from '../../selection/index.ts';
import { type DocumentOrder, ORDERS } from './record.ts';

/** A figure over records, with its bootstrap 95% interval. */
export interface Estimate {
  /** Null where no record has a value. */
  readonly value: number | null;
  /** Null where there are too few clusters to resample. */
  readonly low: number | null;
  readonly high: number | null;
  /** Values that it rests on. */
  readonly n: number;
}

/**
 * The mean of the values that are there.
 *
 * @param clusters for each value the name of what is drawn together with it
 * @param parts for each value of how many parts it is a mean, where the mean over the parts of all is meant; a value of none is not there
 */
export function estimateMean(
  values: readonly (number | null)[],
  clusters: readonly string[],
  parts?: readonly number[],
): Estimate {
  const present = values.flatMap((value, index) => {
    const of = parts === undefined ? 1 : parts[index];
    return value === null || of === 0 ? [] : [{ value, of, cluster: clusters[index] }];
  });
  const numbers = Float64Array.from(present, ({ value }) => value);
  return estimate(
    present.map(({ cluster }) => cluster),
    (weights) =>
      weightedMean(
        numbers,
        weights.map((weight, index) => weight * present[index].of),
      ),
  );
}

/** A mean over parts, as their sum and their number. */
export interface PartSum {
  readonly sum: number;
  readonly of: number;
}

/**
 * How much higher a mean over the parts of some texts is than over those of others, paired by id.
 *
 * @param ids of the pairs, each once
 */
export function estimatePairedMeans(
  ours: readonly PartSum[],
  theirs: readonly PartSum[],
  ids: readonly string[],
): Estimate {
  const meanOf = (sums: readonly PartSum[], weights: ArrayLike<number>) =>
    weightedMean(
      sums.map(({ sum, of }) => (of === 0 ? 0 : sum / of)),
      sums.map(({ of }, index) => of * weights[index]),
    );
  return estimate(ids, (weights) => {
    const [mine, others] = [meanOf(ours, weights), meanOf(theirs, weights)];
    return mine === null || others === null ? null : mine - others;
  });
}

/** A statistic over all items, and its interval. */
export function estimate(clusters: readonly string[], statistic: Statistic): Estimate {
  const value = statistic(new Float64Array(clusters.length).fill(1));
  const interval = value === null ? null : bootstrapInterval(clusters, statistic);
  return { value, low: interval?.low ?? null, high: interval?.high ?? null, n: clusters.length };
}

/** Null where all weights are 0. */
export function weightedMean(values: ArrayLike<number>, weights: ArrayLike<number>): number | null {
  let sum = 0;
  let total = 0;
  for (let i = 0; i < values.length; i++) {
    sum += weights[i] * values[i];
    total += weights[i];
  }
  return total === 0 ? null : sum / total;
}

/** The middle 95% of what resampling gives. */
interface Interval {
  readonly low: number;
  readonly high: number;
}

/** A figure of some items, each counted as often as its weight says; null where it is not defined. */
export type Statistic = (weights: Float64Array) => number | null;

const RESAMPLES = 2000;
const SEED = 1;
const TAIL = 0.025;

/**
 * Percentile bootstrap over clusters (Efron & Tibshirani 1993, sections 13.3 and 8.5): clusters are drawn with replacement,
 * and all items of one come together. Deterministic: what comes out depends on the order of items only, so callers sort them.
 *
 * @param clusterOf for each item the name of the cluster that it belongs to
 * @returns null with fewer than two clusters, or where the statistic is defined in less than half of the resamples
 */
export function bootstrapInterval(clusterOf: readonly string[], statistic: Statistic): Interval | null {
  const numbers = new Map<string, number>();
  const numbered = Int32Array.from(clusterOf, (name) => {
    const number = numbers.get(name) ?? numbers.size;
    numbers.set(name, number);
    return number;
  });
  if (numbers.size < 2) return null;
  const random = seededRandom(SEED);
  const drawn = new Float64Array(numbers.size);
  const weights = new Float64Array(clusterOf.length);
  const figures: number[] = [];
  for (let resample = 0; resample < RESAMPLES; resample++) {
    drawn.fill(0);
    for (let i = 0; i < drawn.length; i++) drawn[Math.floor(random() * drawn.length)]++;
    for (let item = 0; item < weights.length; item++) weights[item] = drawn[numbered[item]];
    const figure = statistic(weights);
    if (figure !== null) figures.push(figure);
  }
  if (figures.length < RESAMPLES / 2) return null;
  const sorted = Float64Array.from(figures).sort();
  return { low: quantile(sorted, TAIL), high: quantile(sorted, 1 - TAIL) };
}

/** Linear between neighbours (Hyndman & Fan 1996, type 7). */
export function quantile(sorted: ArrayLike<number>, share: number): number {
  const place = share * (sorted.length - 1);
  const below = Math.floor(place);
  const above = Math.min(below + 1, sorted.length - 1);
  return sorted[below] + (place - below) * (sorted[above] - sorted[below]);
}

const BINS = 10;

/** Coverage of the documents in a tenth of the order in which a model was given them, as shares from 0 to 1. */
export interface EstimatedBin extends Pick<CurveBin, 'from' | 'to'> {
  /** Over documents with questions; `n` counts them. */
  readonly coverage: Estimate;
}

/**
 * The lost-in-the-middle curve of a system (`positionCurve`) with its intervals, for which whole summaries are drawn.
 *
 * @param scored in an order of their own; `id` names what is drawn together
 */
export function estimatedCurve(
  scored: readonly ({ readonly id: string } & Pick<SourceCoverageAnswer, 'documents'>)[],
): EstimatedBin[] {
  const curves = scored.map(({ id, documents }) => ({ id, bins: positionCurve([{ documents }], BINS) }));
  return positionCurve([], BINS).map(({ from, to }, bin) => {
    const there = curves.flatMap(({ id, bins }) => {
      const { coverage, documents } = bins[bin];
      return coverage === null ? [] : [{ id, coverage, documents }];
    });
    const ids = there.map(({ id }) => id);
    const overDocuments = estimate(ids, (weights) =>
      weightedMean(
        there.map(({ coverage }) => coverage),
        there.map(({ documents }, index) => documents * weights[index]),
      ),
    );
    return { from, to, coverage: { ...overDocuments, n: there.reduce((sum, { documents }) => sum + documents, 0) } };
  });
}

/** SummHay scores of a summary whose documents came in one of the orders. */
interface OrderedScore {
  /** What was asked: the three orders of it are drawn together. */
  readonly id: string;
  readonly order: DocumentOrder;
  readonly coverage: number;
  /** Null where citations are not scored. */
  readonly joint: number | null;
  /** Of how many insights either is a mean. */
  readonly over: { readonly coverage: number; readonly joint: number };
}

/**
 * Position sensitivity over the records of a system (Laban et al. 2024): of the mean joint scores of each order, or of the
 * mean coverage where citations are not scored.
 *
 * @param ordered in an order of their own
 * @returns null without scores of all three orders
 */
export function orderSensitivity(ordered: readonly OrderedScore[]): Estimate | null {
  if (ORDERS.some((wanted) => ordered.every(({ order }) => order !== wanted))) return null;
  const hasJoint = ordered.every(({ joint }) => joint !== null);
  const values = ordered.map(({ joint, coverage }) => (hasJoint ? (joint ?? 0) : coverage));
  const parts = ordered.map(({ over }) => (hasJoint ? over.joint : over.coverage));
  const meanOf = (wanted: string, weights: Float64Array) =>
    weightedMean(
      values,
      weights.map((weight, index) => (ordered[index].order === wanted ? weight * parts[index] : 0)),
    );
  return estimate(
    ordered.map(({ id }) => id),
    (weights) =>
      positionSensitivity({
        top: meanOf('top', weights),
        bottom: meanOf('bottom', weights),
        random: meanOf('random', weights),
      }),
  );
}
