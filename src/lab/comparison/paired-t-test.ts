import { sum } from '../../evaluation/mean.ts';
import { twoSidedP } from '../../server/experiments/statistics/two-sided-p.ts';

export interface PairedTTest {
  /** Null, with `p`, where the differences do not vary: nothing can be told from them. */
  readonly statistic: number | null;
  /** Pairs less 1; null with fewer than two. */
  readonly degreesOfFreedom: number | null;
  /** Two-sided. */
  readonly p: number | null;
}

/** Standard errors below so many units of rounding of the mean are none; as R's `t.test` refuses them. */
const ROUNDING = 10 * Number.EPSILON;

/**
 * Student's t-test that the mean of paired differences is 0 ("Student" 1908). It does not depend on the order of the pairs.
 *
 * @param differences one for each pair; their unit does not matter
 */
export function pairedTTest(differences: readonly number[]): PairedTTest {
  const n = differences.length;
  if (n < 2) return { statistic: null, degreesOfFreedom: null, p: null };
  const mean = sum(differences) / n;
  const variance = sum(differences.map((each) => (each - mean) ** 2)) / (n - 1);
  const error = Math.sqrt(variance / n);
  const degreesOfFreedom = n - 1;
  if (error <= ROUNDING * Math.abs(mean)) return { statistic: null, degreesOfFreedom, p: null };
  const statistic = mean / error;
  return { statistic, degreesOfFreedom, p: twoSidedP(statistic, degreesOfFreedom) };
}
