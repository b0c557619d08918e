import { seededRandom } from '../../selection/index.ts';

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
