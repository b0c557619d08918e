/** Sums of squares carry about 15 digits: what is left of them beyond that is rounding. */
const ROUNDING = 1e-13;

/**
 * Variance by n - 1 from a sum of squared deviations that was found by subtracting sums.
 *
 * @param squares the sum of squared deviations, which cancellation may have made too small, even negative
 * @param size the size of the terms that were subtracted: less than 1e-13 of it counts as 0
 * @returns null with fewer than two subjects, or where the sums overflowed
 */
export function sampleVariance(squares: number, size: number, n: number): number | null {
  if (n < 2 || !Number.isFinite(squares) || !Number.isFinite(size)) return null;
  return squares <= ROUNDING * size ? 0 : squares / (n - 1);
}
