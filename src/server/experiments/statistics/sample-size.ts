import { detectableErrors } from './power.ts';

interface PlannedDifference {
  /** True difference of the means; not 0. */
  readonly difference: number;
  /** Of the value of a subject. */
  readonly controlVariance: number;
  readonly treatmentVariance: number;
  /** How many subjects the control has for each of the treatment; 1 where they are split evenly. */
  readonly controlShare: number;
}

/**
 * Subjects that each arm needs for a two-sided test of level alpha to see a difference with 80% power, by the normal formula with
 * unpooled variances (Chow, Shao & Wang, "Sample Size Calculations in Clinical Research", sections 3.2.1 and 4.2.1).
 */
export function sampleSize(
  { difference, controlVariance, treatmentVariance, controlShare }: PlannedDifference,
  alpha: number,
): { readonly control: number; readonly treatment: number } {
  const errors = detectableErrors(alpha) / difference;
  const treatment = errors * errors * (treatmentVariance + controlVariance / controlShare);
  return { control: Math.ceil(treatment * controlShare), treatment: Math.ceil(treatment) };
}
