import normalCdf from '@stdlib/stats-base-dists-normal-cdf';

/**
 * Chance of a chi-square statistic at least as large, by the finite sums for whole degrees of freedom (Abramowitz & Stegun,
 * 26.4.4 and 26.4.5). 1 less the library's distribution function ends at 1e-16.
 *
 * @param degreesOfFreedom a whole number from 1
 */
export function chiSquareTail(statistic: number, degreesOfFreedom: number): number {
  if (statistic <= 0) return 1;
  const odd = degreesOfFreedom % 2 === 1;
  const root = Math.sqrt(statistic);
  let term = odd ? Math.sqrt(2 / Math.PI) * Math.exp(-statistic / 2) * root : Math.exp(-statistic / 2);
  let tail = odd ? 2 * normalCdf(-root, 0, 1) : 0;
  for (let i = odd ? 1 : 0; i < degreesOfFreedom; i += 2) {
    tail += term;
    term *= statistic / (i + 2);
  }
  return Math.min(1, tail);
}
