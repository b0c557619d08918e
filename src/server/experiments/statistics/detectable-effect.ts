import type { MeanEstimate } from './mean-estimate.ts';
import { detectableErrors } from './power.ts';

/**
 * Smallest relative change that a two-sided test of level alpha would see with 80% power at the variances of now: the inverse of
 * the formula for the sample size.
 *
 * @returns null where the control's mean is 0
 */
export function detectableEffect(control: MeanEstimate, treatment: MeanEstimate, alpha: number): number | null {
  if (control.mean === 0) return null;
  return (detectableErrors(alpha) * Math.sqrt(control.variance + treatment.variance)) / Math.abs(control.mean);
}

/**
 * The same for shares, whose variance goes with the share p + d: the root of d² = z² (p q / n_a + (p + d)(q - d) / n_b) on the
 * side of the change for the better.
 *
 * @returns null where no share is far enough from the control's
 */
export function detectableShareEffect(
  control: MeanEstimate,
  treated: number,
  alpha: number,
  direction: 'increase' | 'decrease',
): number | null {
  const p = control.mean;
  if (!(p > 0) || p > 1) return null;
  const square = detectableErrors(alpha) ** 2;
  const sign = direction === 'increase' ? 1 : -1;
  // a d² - b d - c = 0, for d to the side of the sign.
  const a = 1 + square / treated;
  const b = (sign * square * (1 - 2 * p)) / treated;
  const c = square * p * (1 - p) * (1 / control.n + 1 / treated);
  const d = (b + Math.sqrt(b * b + 4 * a * c)) / (2 * a);
  const share = p + sign * d;
  return d > 0 && share >= 0 && share <= 1 ? d / p : null;
}
