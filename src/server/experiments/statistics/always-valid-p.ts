import { rhoSquared } from './sequential-critical.ts';

/**
 * Smallest level at which the confidence sequence that is shaped for `alpha` excludes 0. Where there is no difference, it is
 * ever below a level with a chance of at most that level (Johari et al. 2022, "Always Valid Inference", Operations Research 70).
 *
 * @param z the difference in standard errors
 * @param subjects of both arms
 */
export function alwaysValidP(z: number, subjects: number, alpha: number): number {
  const spread = subjects * rhoSquared(alpha);
  return Math.min(1, Math.sqrt(spread + 1) * Math.exp((-z * z * spread) / (2 * (spread + 1))));
}
