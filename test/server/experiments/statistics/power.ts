import normalCdf from '@stdlib/stats-base-dists-normal-cdf';
import { criticalValue } from '../../../../src/server/experiments/statistics/critical-value.ts';

/** Chance that a two-sided normal test of level alpha rejects, given the true difference in standard errors. */
export function power(errors: number, alpha: number): number {
  const critical = criticalValue(alpha, null);
  return normalCdf(errors - critical, 0, 1) + normalCdf(-errors - critical, 0, 1);
}
