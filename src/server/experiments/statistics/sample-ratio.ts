import normalCdf from '@stdlib/stats-base-dists-normal-cdf';

interface SampleRatio {
  /** Pearson's chi-square; null where it cannot be told. */
  readonly statistic: number | null;
  readonly p: number | null;
  readonly mismatch: boolean;
}

interface Cell {
  readonly observed: number;
  readonly expected: number;
}

/** Below this many expected, chi-square's tail at 0.001 is off by more than twice. */
const ENOUGH = 10;
const MISMATCH = 0.001;
const UNTOLD: SampleRatio = { statistic: null, p: null, mismatch: false };

/**
 * Whether subjects are split as the weights say, by Pearson's chi-square (Fabijan et al. 2019, "Diagnosing Sample Ratio
 * Mismatch"; p < 0.001 as at docs.growthbook.io/statistics/srm). Arms that expect fewer than 10 subjects are counted
 * together; subjects in an arm of weight 0 are a mismatch by themselves.
 *
 * @param weights shares that sum to 1
 * @returns statistic and p null without two arms that expect 10, and the statistic where a weight of 0 was given subjects
 */
export function sampleRatio(subjects: readonly number[], weights: readonly number[]): SampleRatio {
  if (subjects.some((count, i) => weights[i] === 0 && count > 0)) return { statistic: null, p: 0, mismatch: true };
  const total = subjects.reduce((sum, count) => sum + count, 0);
  const cells = pooled(subjects.map((observed, i) => ({ observed, expected: total * weights[i] })));
  if (cells.length < 2) return UNTOLD;
  const statistic = cells.reduce((sum, { observed, expected }) => sum + (observed - expected) ** 2 / expected, 0);
  const p = chiSquareTail(statistic, cells.length - 1);
  return { statistic, p, mismatch: p < MISMATCH };
}

/** The cells with the smallest put together until each expects enough. */
function pooled(cells: readonly Cell[]): Cell[] {
  const left = cells.filter(({ expected }) => expected > 0).sort((a, b) => a.expected - b.expected);
  while (left.length > 0 && left[0].expected < ENOUGH) {
    const [smallest, next] = left.splice(0, 2);
    if (next === undefined) break;
    left.push({ observed: smallest.observed + next.observed, expected: smallest.expected + next.expected });
    left.sort((a, b) => a.expected - b.expected);
  }
  return left;
}

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
