import { bootstrapInterval, type Statistic } from './bootstrap.ts';

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
 */
export function estimateMean(values: readonly (number | null)[], clusters: readonly string[]): Estimate {
  const present = values.flatMap((value, index) => (value === null ? [] : [{ value, cluster: clusters[index] }]));
  const numbers = Float64Array.from(present, ({ value }) => value);
  return estimate(
    present.map(({ cluster }) => cluster),
    (weights) => weightedMean(numbers, weights),
  );
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
