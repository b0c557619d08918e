import { subsetSize } from './kernels.ts';

/** Cells that expect fewer draws than this are pooled. */
const MIN_EXPECTED = 5;
/** Sets less likely than this are never drawn in any test: a million draws would hold one with a chance of 1e-6. */
const IMPOSSIBLE = 1e-12;

interface Fit {
  /** Chance of draws that are as far from the law as these. */
  readonly p: number;
  /** Draws of what has no probability. */
  readonly impossible: number;
}

/** Pearson's chi-square test of counts against a law. */
export function goodnessOfFit(counts: ArrayLike<number>, law: ArrayLike<number>): Fit {
  const total = Array.from(counts).reduce((sum, count) => sum + count, 0);
  const cells: { observed: number; expected: number }[] = [];
  const pool = { observed: 0, expected: 0 };
  let impossible = 0;
  for (let cell = 0; cell < law.length; cell++) {
    if (law[cell] < IMPOSSIBLE) impossible += counts[cell];
    const expected = total * law[cell];
    if (expected >= MIN_EXPECTED) {
      cells.push({ observed: counts[cell], expected });
    } else {
      pool.observed += counts[cell];
      pool.expected += expected;
    }
  }
  // A pool that is still small goes to the smallest cell, so that no term is dropped.
  if (pool.expected >= MIN_EXPECTED) {
    cells.push(pool);
  } else {
    const smallest = cells.reduce((least, cell) => (cell.expected < least.expected ? cell : least));
    smallest.observed += pool.observed;
    smallest.expected += pool.expected;
  }
  const statistic = cells.reduce((sum, { observed, expected }) => sum + (observed - expected) ** 2 / expected, 0);
  return { p: cells.length === 1 ? 1 : chiSquareTail(statistic, cells.length - 1), impossible };
}

/** Counts or probabilities by subset (indexed by bit mask) added up by size. */
export function bySize(values: ArrayLike<number>, n: number): Float64Array {
  const sums = new Float64Array(n + 1);
  for (let set = 0; set < values.length; set++) sums[subsetSize(set)] += values[set];
  return sums;
}

/** The same added up over the sets without item i and with it. */
export function byMembership(values: ArrayLike<number>, i: number): [number, number] {
  const sums: [number, number] = [0, 0];
  for (let set = 0; set < values.length; set++) sums[(set >> i) & 1] += values[set];
  return sums;
}

/** P(X > x) of a chi-square variable. */
export function chiSquareTail(x: number, degrees: number): number {
  return upperGamma(degrees / 2, x / 2);
}

/** The regularised upper incomplete gamma function Q(a, x): its series below a + 1, its continued fraction above (DLMF 8.7.1, 8.9.2). */
export function upperGamma(a: number, x: number): number {
  if (x <= 0) return 1;
  const logScale = a * Math.log(x) - x - logGamma(a);
  if (x < a + 1) {
    let term = 1 / a;
    let sum = term;
    for (let m = 1; term > sum * Number.EPSILON; m++) {
      term *= x / (a + m);
      sum += term;
    }
    return 1 - sum * Math.exp(logScale);
  }
  // Lentz's method.
  let b = x + 1 - a;
  let c = Number.MAX_VALUE;
  let d = 1 / b;
  let fraction = d;
  for (let m = 1; m < 10_000; m++) {
    const numerator = -m * (m - a);
    b += 2;
    d = 1 / (numerator * d + b);
    c = b + numerator / c;
    fraction *= c * d;
    if (Math.abs(c * d - 1) < 4 * Number.EPSILON) break;
  }
  return fraction * Math.exp(logScale);
}

/** log Gamma(a) by Stirling's series, shifted to where seven terms are enough (DLMF 5.11.1). */
export function logGamma(a: number): number {
  if (a < 15) return logGamma(a + 1) - Math.log(a);
  const terms = [1 / 12, -1 / 360, 1 / 1260, -1 / 1680, 1 / 1188, -691 / 360_360, 1 / 156];
  const series = terms.reduce((sum, term, m) => sum + term / a ** (2 * m + 1), 0);
  return (a - 0.5) * Math.log(a) - a + 0.5 * Math.log(2 * Math.PI) + series;
}
