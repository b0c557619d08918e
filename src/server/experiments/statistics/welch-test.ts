import type { MeanEstimate } from './mean-estimate.ts';
import { twoSidedP } from './two-sided-p.ts';

/** A test of two arms having the same mean. */
export interface TestOfDifference {
  readonly statistic: number;
  /** Null where the statistic is normal. */
  readonly degreesOfFreedom: number | null;
  /** Two-sided. */
  readonly p: number;
}

/**
 * Welch's t-test with the degrees of freedom of Welch (1947) and Satterthwaite (1946).
 *
 * @returns null where neither arm varies: there is nothing to measure a difference by
 */
export function welchTest(control: MeanEstimate, treatment: MeanEstimate): TestOfDifference | null {
  const variance = control.variance + treatment.variance;
  if (variance === 0) return null;
  const statistic = (treatment.mean - control.mean) / Math.sqrt(variance);
  const share = control.variance / variance;
  const degreesOfFreedom = 1 / (share ** 2 / (control.n - 1) + (1 - share) ** 2 / (treatment.n - 1));
  return { statistic, degreesOfFreedom, p: twoSidedP(statistic, degreesOfFreedom) };
}
