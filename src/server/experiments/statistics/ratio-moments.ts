import type { Moments, Sums } from './moments.ts';
import { sampleVariance } from './sample-variance.ts';

/**
 * A ratio of sums r = Σx / Σy and n times its variance by the delta method, with the subject as the unit (Deng et al. 2018,
 * "Applying the Delta Method in Metric Analytics"): (s_xx - 2 r s_xy + r² s_yy) / mean(y)². Because x - r y sums
 * to 0, that is the sum of its squares, so that no means need be subtracted.
 *
 * @returns mean null where the denominators sum to 0
 */
export function ratioMoments(n: number, { x, xx, y, yy, xy }: Sums): Moments {
  const ratio = x / y;
  if (n < 1 || !Number.isFinite(ratio)) return { n, mean: null, variance: null };
  const squares = xx - 2 * ratio * xy + ratio * ratio * yy;
  const ofResidual = sampleVariance(squares, xx + ratio * ratio * yy, n);
  const variance = ofResidual === null ? null : ofResidual / (y / n) ** 2;
  return { n, mean: ratio, variance: Number.isFinite(variance) ? variance : null };
}
