import type { MeanEstimate } from './mean-estimate.ts';
import { twoSidedP } from './two-sided-p.ts';
import type { TestOfDifference } from './welch-test.ts';

/**
 * Test of two shares being equal, with the variance of both taken together, as they are equal if the hypothesis holds (Fleiss,
 * "Statistical Methods for Rates and Proportions", without correction for continuity).
 *
 * @returns null where all or none of the subjects converted
 */
export function twoProportionZ(control: MeanEstimate, treatment: MeanEstimate): TestOfDifference | null {
  const pooled = (control.mean * control.n + treatment.mean * treatment.n) / (control.n + treatment.n);
  const variance = pooled * (1 - pooled) * (1 / control.n + 1 / treatment.n);
  if (!(variance > 0)) return null;
  const statistic = (treatment.mean - control.mean) / Math.sqrt(variance);
  return { statistic, degreesOfFreedom: null, p: twoSidedP(statistic, null) };
}
