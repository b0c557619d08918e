import type { Moments, Sums } from './moments.ts';
import { sampleVariance } from './sample-variance.ts';

/** Mean and variance of the subjects' values, where those without an outcome count 0. */
export function valueMoments(n: number, { x, xx }: Pick<Sums, 'x' | 'xx'>): Moments {
  const mean = x / n;
  if (n < 1 || !Number.isFinite(mean)) return { n, mean: null, variance: null };
  return { n, mean, variance: sampleVariance(xx - x * mean, xx, n) };
}
