import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Bonus, type ExactMapInput, exactMap } from '../../../src/selection/dpp/exact-map.ts';
import { incrementalLogDet } from '../../../src/selection/dpp/pivoted-cholesky.ts';
import { type Random, seeded } from '../kernel/random.ts';
import {
  bertscoreGaussian,
  clipped,
  det,
  diagonalOf,
  flat,
  gaussian,
  itemsOf,
  psd,
  repeated,
  unitDiagonal,
} from './kernels.ts';

interface Problem {
  readonly k: readonly (readonly number[])[];
  readonly logQuality: Float64Array;
  /** w[i][j]: how much i covers j. */
  readonly w: readonly (readonly number[])[];
  readonly mu: number;
  /** A set to start from. */
  readonly incumbent: readonly number[];
}

/** det of less than this share of the product of the diagonal is that of a dependent set. */
const DEPENDENT = 1e-11;

/** log det(L_S) + mu sum_j max_(i in S) W_ij from scratch. */
function worth({ k, logQuality, w, mu }: Problem, items: readonly number[]): number {
  if (items.length === 0) return 0;
  const determinant = det(k, items);
  if (!(determinant > DEPENDENT * items.reduce((product, i) => product * k[i][i], 1))) return Number.NEGATIVE_INFINITY;
  const covered = w.reduce((sum, _, j) => sum + Math.max(...items.map((i) => w[i][j])), 0);
  return Math.log(determinant) + items.reduce((sum, i) => sum + 2 * logQuality[i], 0) + mu * covered;
}

/** The best worth of all sets of the size. */
function bruteForce(problem: Problem, size: number): number {
  let best = Number.NEGATIVE_INFINITY;
  for (let set = 0; set < 1 << problem.k.length; set++) {
    const items = itemsOf(set);
    if (items.length === size) best = Math.max(best, worth(problem, items));
  }
  return best;
}

/** mu times the coverage. */
function coverageOf({ w, mu }: Pick<Problem, 'w' | 'mu'>): Pick<Bonus, 'gain' | 'add'> {
  const covered = new Float64Array(w.length);
  return {
    gain: (i) => mu * w[i].reduce((sum, value, j) => sum + Math.max(0, value - covered[j]), 0),
    add(i) {
      w[i].forEach((value, j) => {
        covered[j] = Math.max(covered[j], value);
      });
    },
  };
}

function search(problem: Problem, overrides: Partial<ExactMapInput> = {}) {
  return exactMap({
    kernel: flat(problem.k),
    logQuality: problem.logQuality,
    newBonus: () => (problem.mu === 0 ? null : coverageOf(problem)),
    incumbent: problem.incumbent,
    maxNodes: Number.POSITIVE_INFINITY,
    isOver: () => false,
    ...overrides,
  });
}

/** Any independent set of up to `size` items. */
function independent(random: Random, k: Problem['k'], size: number): number[] {
  const logDet = incrementalLogDet(diagonalOf(k), new Float64Array(k.length));
  const items: number[] = [];
  for (const i of random.permutation(k.length)) {
    if (items.length === size || !(logDet.gain(i) > -20)) continue;
    logDet.pick(i, k[i]);
    items.push(i);
  }
  return items;
}

function problemOf(
  random: Random,
  k: readonly (readonly number[])[],
  { most = 6, spread = 1, mus = [0, 0.3, 5] } = {},
): Problem {
  const n = k.length;
  return {
    k,
    logQuality: Float64Array.from({ length: n }, () => spread * random.normal()),
    w: Array.from({ length: n }, () => Array.from({ length: n }, () => Math.max(0, random.normal()))),
    mu: mus[random.below(mus.length)],
    incumbent: independent(random, k, random.below(most + 1)),
  };
}

/** Kernels of every kind: full rank, low rank, smooth, with duplicates, indefinite and clipped. */
function anyKernel(random: Random): number[][] {
  const n = 1 + random.below(14);
  const kind = random.below(5);
  if (kind === 0) return psd(random, n, n + 2);
  if (kind === 1) return psd(random, n, 1 + random.below(n));
  if (kind === 2) return gaussian(random, n, 3);
  if (kind === 3) {
    const distinct = 1 + random.below(n);
    return repeated(
      unitDiagonal(psd(random, distinct, distinct + 1)),
      Array.from({ length: n }, (_, i) => i % distinct),
    );
  }
  return clipped(bertscoreGaussian(random, n, 3, 4));
}

/** Values within this are equal: `exactMap` stops at 1e-9 of its value. */
const slack = (value: number): number => 2e-9 * Math.max(1, Math.abs(value)) + 1e-7;

describe('exactMap', () => {
  test('80 random kernels with and without coverage: as good as the best of all sets, with a proof', () => {
    let beaten = 0;
    for (let seed = 0; seed < 80; seed++) {
      const random = seeded(seed);
      const problem = problemOf(random, anyKernel(random));
      const size = problem.incumbent.length;
      const best = bruteForce(problem, size);
      const found = search(problem);
      expect(found, `seed ${seed}`).toMatchObject({ proven: true, gap: 0 });
      expect(found.items).toEqual([...new Set(found.items)].sort((a, b) => a - b));
      expect(found.items.length).toBe(size);
      expect(Math.abs(found.value - best), `seed ${seed}`).toBeLessThan(slack(best));
      expect(Math.abs(worth(problem, found.items) - best), `seed ${seed}`).toBeLessThan(slack(best));
      if (best > worth(problem, problem.incumbent) + 1e-3) beaten++;
    }
    expect(beaten).toBeGreaterThan(40); // most start from a set that is not the best
  });

  test('with a budget of few nodes the value and its gap are never below the optimum', () => {
    let unproven = 0;
    fc.assert(
      fc.property(fc.integer(), fc.integer({ min: 0, max: 25 }), (seed, maxNodes) => {
        const random = seeded(seed);
        const n = 7 + random.below(5);
        const problem = problemOf(random, gaussian(random, n, 2 + random.below(6), 2), { most: 6, spread: 0.3 });
        const best = bruteForce(problem, problem.incumbent.length);
        const found = search(problem, { maxNodes });
        expect(found.nodes).toBeLessThanOrEqual(maxNodes);
        expect(found.value + found.gap).toBeGreaterThan(best - slack(best));
        expect(found.value).toBeLessThan(best + slack(best));
        expect(Math.abs(worth(problem, found.items) - found.value)).toBeLessThan(slack(best));
        expect(found.value).toBeGreaterThan(worth(problem, problem.incumbent) - slack(best));
        if (found.proven) {
          expect(Math.abs(found.value - best)).toBeLessThan(slack(best));
          expect(found.gap).toBe(0);
        } else {
          unproven++;
        }
      }),
      { seed: 1, numRuns: 60 },
    );
    expect(unproven).toBeGreaterThan(10);
  });

  test('ends when time is over', () => {
    // Equal items far from each other: every bound is loose.
    const random = seeded(4);
    const k = gaussian(random, 40, 4, 3);
    const problem = {
      k,
      logQuality: new Float64Array(40),
      w: [],
      mu: 0,
      incumbent: independent(random, k, 8),
    };
    let asked = 0;
    const found = search(problem, { isOver: () => ++asked > 3 });
    expect(asked).toBe(4);
    expect(found.proven).toBe(false);
    expect(found.gap).toBeGreaterThan(0);
    expect(found.nodes).toBeLessThan(2000);
    expect(worth(problem, found.items)).toBeCloseTo(found.value, 8);
    expect(found.value).toBeGreaterThanOrEqual(worth(problem, problem.incumbent) - 1e-9);
  });

  test('no items, sets of none and of one', () => {
    const nothing = search({ k: [], logQuality: new Float64Array(0), w: [], mu: 0, incumbent: [] });
    expect(nothing).toMatchObject({ items: [], value: 0, proven: true, gap: 0 });
    const k = [
      [1, 0.5, 0],
      [0.5, 4, 0],
      [0, 0, 0],
    ];
    const problem = { k, logQuality: new Float64Array(3), w: [], mu: 0 };
    expect(search({ ...problem, incumbent: [] })).toMatchObject({ items: [], value: 0, proven: true });
    expect(search({ ...problem, incumbent: [0] })).toMatchObject({
      items: [1],
      value: expect.closeTo(Math.log(4), 12),
      proven: true,
    });
    expect(search({ ...problem, incumbent: [1, 0] })).toMatchObject({ items: [0, 1], proven: true });
  });
});
