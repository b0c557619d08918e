import normalQuantile from '@stdlib/stats-base-dists-normal-quantile';
import { criticalValue } from './critical-value.ts';

/** The chance wanted of seeing an effect that is there. */
const POWER = 0.8;

/** How many standard errors a true difference must be for a two-sided test of level alpha to have 80% power. */
export function detectableErrors(alpha: number): number {
  return criticalValue(alpha, null) + normalQuantile(POWER, 0, 1);
}
