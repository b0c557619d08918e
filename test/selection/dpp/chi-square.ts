import { chiSquareTail } from '../../../src/evaluation/distributions.ts';
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
