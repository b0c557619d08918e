import normalQuantile from '@stdlib/stats-base-dists-normal-quantile';
import tQuantile from '@stdlib/stats-base-dists-t-quantile';

/**
 * How many standard errors a two-sided interval of level 1 - alpha reaches to each side.
 *
 * @param degreesOfFreedom of Student's t; null for the normal distribution
 */
export function criticalValue(alpha: number, degreesOfFreedom: number | null): number {
  return -(degreesOfFreedom === null ? normalQuantile(alpha / 2, 0, 1) : tQuantile(alpha / 2, degreesOfFreedom));
}
