import { seededRandom } from '../../selection/index.ts';

export interface Estimate {
  /** Null without values. */
  readonly value: number | null;
  /** Null if there are too few clusters to resample. */
  readonly low: number | null;
  readonly high: number | null;
  readonly n: number;
}

/**
 * Skips nulls. @param clusters resampling cluster of each value
 * @param parts number of parts of each value, its weight
 */
export function estimateMean(
  values: readonly (number | null)[],
  clusters: readonly string[],
  parts?: readonly number[],
): Estimate {
  const present = [...values.keys()].filter((index) => values[index] !== null && parts?.[index] !== 0);
  const numbers = Float64Array.from(present, (index) => values[index] ?? 0);
  const ofPresent = present.map((index) => clusters[index]);
  return estimate(ofPresent, (weights) => {
    const all = parts === undefined ? weights : weights.map((weight, place) => weight * parts[present[place]]);
    return weightedMean(numbers, all);
  });
}

export interface PartSum {
  readonly sum: number;
  readonly of: number;
}

/** Difference of two means over parts. @param pairs with unique ids */
export function estimatePairedMeans(
  pairs: readonly { readonly id: string; readonly ours: PartSum; readonly other: PartSum }[],
): Estimate {
  const meanOf = (side: 'ours' | 'other', weights: ArrayLike<number>) =>
    weightedMean(
      pairs.map(({ [side]: { sum, of } }) => (of === 0 ? 0 : sum / of)),
      pairs.map(({ [side]: { of } }, index) => of * weights[index]),
    );
  return estimate(
    pairs.map(({ id }) => id),
    (weights) => {
      const [mine, others] = [meanOf('ours', weights), meanOf('other', weights)];
      return mine === null || others === null ? null : mine - others;
    },
  );
}

export function estimate(clusters: readonly string[], statistic: Statistic): Estimate {
  const value = statistic(new Float64Array(clusters.length).fill(1));
  const interval = value === null ? null : bootstrapInterval(clusters, statistic);
  return { value, low: interval?.low ?? null, high: interval?.high ?? null, n: clusters.length };
}

export function weightedMean(values: ArrayLike<number>, weights: ArrayLike<number>): number | null {
  let [sum, total] = [0, 0];
  for (let i = 0; i < values.length; i++) {
    sum += weights[i] * values[i];
    total += weights[i];
  }
  return total === 0 ? null : sum / total;
}

export type Statistic = (weights: Float64Array) => number | null;

const RESAMPLES = 2000;
const SEED = 1;
const TAIL = 0.025;

/**
 * Percentile bootstrap over clusters (Efron & Tibshirani 1993, sections 13.3 and 8.5): clusters are drawn with
 * replacement. Deterministic, but dependent on the order of items: callers sort them.
 * @param clusterOf cluster of each item
 * @returns null with fewer than two clusters, or if the statistic is undefined in over half of the resamples
 */
export function bootstrapInterval(
  clusterOf: readonly string[],
  statistic: Statistic,
): { readonly low: number; readonly high: number } | null {
  const clusters = [...new Set(clusterOf)];
  if (clusters.length < 2) return null;
  const numbers = new Map(clusters.map((name, number) => [name, number]));
  const numbered = Int32Array.from(clusterOf, (name) => numbers.get(name) ?? 0);
  const random = seededRandom(SEED);
  const drawn = new Float64Array(clusters.length);
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

/** Linear interpolation (Hyndman & Fan 1996, type 7). */
export function quantile(sorted: ArrayLike<number>, share: number): number {
  const place = share * (sorted.length - 1);
  const below = Math.floor(place);
  const above = Math.min(below + 1, sorted.length - 1);
  return sorted[below] + (place - below) * (sorted[above] - sorted[below]);
}
