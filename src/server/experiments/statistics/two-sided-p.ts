import normalCdf from '@stdlib/stats-base-dists-normal-cdf';
import tCdf from '@stdlib/stats-base-dists-t-cdf';

/**
 * Chance of a statistic at least as far from 0, from the lower tail, so that far ones do not come out as 0.
 *
 * @param degreesOfFreedom of Student's t; null for the normal distribution
 */
export function twoSidedP(statistic: number, degreesOfFreedom: number | null): number {
  const lower = -Math.abs(statistic);
  return 2 * (degreesOfFreedom === null ? normalCdf(lower, 0, 1) : tCdf(lower, degreesOfFreedom));
}
