import normalCdf from '@stdlib/stats-base-dists-normal-cdf';
import normalQuantile from '@stdlib/stats-base-dists-normal-quantile';
import { criticalValue } from './critical-value.ts';

/** The chance wanted of seeing an effect that is there. */
const POWER = 0.8;

/** How many standard errors a true difference must be for a two-sided test of level alpha to have 80% power. */
export function detectableErrors(alpha: number): number {
  return criticalValue(alpha, null) + normalQuantile(POWER, 0, 1);
}

/** Chance that a two-sided normal test of level alpha rejects, given the true difference in standard errors. */
export function power(errors: number, alpha: number): number {
  const critical = criticalValue(alpha, null);
  return normalCdf(errors - critical, 0, 1) + normalCdf(-errors - critical, 0, 1);
}
