import { seededRandom } from '../../selection/index.ts';

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
