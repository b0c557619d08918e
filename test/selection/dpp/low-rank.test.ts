import { describe, expect, test } from 'vitest';
import { isPositive } from '../../../src/selection/dpp/kernel-dpp.ts';
import {
  dualDistance,
  dualDpp,
  fixedSizeDistance,
  lowRank,
  nystromFactor,
} from '../../../src/selection/dpp/low-rank.ts';
import { furthest, seeded } from '../kernel/random.ts';
import {
  bertscoreGaussian,
  diagonalOf,
  eigenvalues,
  flat,
  gaussian,
  gram,
  lawOf,
  psd,
  totalVariation,
  unitDiagonal,
  weighted,
} from './kernels.ts';

function decompose(l: readonly (readonly number[])[], maxRank = l.length) {
  return lowRank(diagonalOf(l), (i) => l[i], maxRank);
}

/** V V^T. */
function product(factor: Float64Array, n: number, rank: number): number[][] {
  return gram(Array.from({ length: n }, (_, i) => [...factor.subarray(i * rank, (i + 1) * rank)]));
}

const trace = (l: readonly (readonly number[])[]): number => diagonalOf(l).reduce((sum, value) => sum + value, 0);

describe('lowRank', () => {
  test('V V^T + E is the kernel, E positive semi-definite with the residual as its trace', async () => {
    for (let seed = 0; seed < 40; seed++) {
      const random = seeded(seed);
      const n = 2 + random.below(20);
      const l = gaussian(random, n, 3);
      for (const maxRank of [0, 1, Math.floor(n / 2), n]) {
        const { rank, factor, residual } = await decompose(l, maxRank);
        expect(rank).toBeLessThanOrEqual(maxRank);
        const part = product(factor, n, rank);
        const rest = l.map((row, i) => row.map((value, j) => value - part[i][j]));
        expect(residual).toBeCloseTo(Math.max(0, trace(rest)), 10);
        expect(eigenvalues(rest)[0]).toBeGreaterThan(-1e-10);
      }
    }
  });
});

describe('draws from a truncated factor', () => {
  test('random size: the total variation distance is at most the residual trace', async () => {
    let closest = 0;
    for (let seed = 0; seed < 30; seed++) {
      const random = seeded(seed);
      const n = 3 + random.below(8);
      const l = gaussian(random, n, 2, 0.5 + random.next() * 2).map((row) => row.map((value) => value / 2));
      const law = lawOf(l);
      for (let maxRank = 1; maxRank < n; maxRank++) {
        const { factor, rank, residual } = await decompose(l, maxRank);
        const dpp = dualDpp(factor, n, rank);
        const distance = totalVariation(law, lawOf(product(factor, n, rank)));
        expect(distance).toBeLessThanOrEqual(residual + 1e-12);
        expect(dualDistance(dpp, residual, null)).toBe(Math.min(1, residual));
        if (residual > 1e-6) closest = Math.max(closest, distance / residual);
      }
    }
    expect(closest).toBeGreaterThan(0.2); // a bound that is never near would be no test
  });

  test('k items: it is at most 1 - e_k(A) / sum_j e_(k-j)(A) eps^j / j!', async () => {
    let closest = 0;
    for (let seed = 0; seed < 30; seed++) {
      const random = seeded(seed);
      const n = 3 + random.below(8);
      const l = gaussian(random, n, 2, 0.5 + random.next() * 2);
      for (let maxRank = 1; maxRank < n; maxRank++) {
        const { factor, rank, residual } = await decompose(l, maxRank);
        const dpp = dualDpp(factor, n, rank);
        for (let k = 0; k <= rank; k++) {
          const distance = totalVariation(lawOf(l, k), lawOf(product(factor, n, rank), k));
          const bound = fixedSizeDistance(dpp.logPolynomials(k), k, residual);
          expect(distance, `seed ${seed}, rank ${rank}, k ${k}`).toBeLessThanOrEqual(bound + 1e-9);
          expect(dualDistance(dpp, residual, k)).toBe(bound);
          if (bound > 1e-6) closest = Math.max(closest, distance / bound);
        }
      }
    }
    expect(closest).toBeGreaterThan(0.2);
  });
});

function approximate(l: readonly (readonly number[])[], landmarks: readonly number[]) {
  const n = l.length;
  const rows = Float64Array.from(landmarks.flatMap((i) => [...l[i]]));
  const { factor, rank, clippedMass } = nystromFactor(rows, landmarks, n);
  const part = gram(Array.from({ length: n }, (_, i) => [...factor.subarray(i * rank, (i + 1) * rank)]));
  return { part, rank, clippedMass };
}

describe('nystromFactor', () => {
  test('is exact where the landmarks span a kernel of low rank', () => {
    for (let seed = 0; seed < 30; seed++) {
      const random = seeded(seed);
      const n = 8 + random.below(20);
      const rank = 1 + random.below(5);
      const l = psd(random, n, rank);
      const landmarks = random.permutation(n).slice(0, rank + random.below(3));
      const found = approximate(l, landmarks);
      expect(found.rank).toBe(rank);
      expect(furthest(flat(found.part), flat(l))).toBeLessThan(1e-6);
      expect(found.clippedMass).toBeLessThan(1e-14);
    }
  });

  test('all items as landmarks give the positive part of an indefinite kernel, less what is noise', () => {
    let seen = 0;
    for (let seed = 0; seed < 20; seed++) {
      const l = bertscoreGaussian(seeded(seed), 12, 4, 6);
      const values = eigenvalues(l);
      const depth = Math.max(0, -values[0]);
      const { part, rank, clippedMass } = approximate(
        l,
        l.map((_, i) => i),
      );
      const kept = values.filter((value) => value > Math.max(depth, 12 * Number.EPSILON * values[11]));
      expect(rank).toBe(kept.length);
      const found = eigenvalues(part).slice(12 - rank);
      expect(furthest(found, kept)).toBeLessThan(1e-12 * 12 * values[11]);
      const negative = values.reduce((sum, value) => sum + Math.max(0, -value), 0);
      expect(clippedMass).toBeCloseTo(negative / values.reduce((sum, value) => sum + Math.abs(value), 0), 12);
      if (depth > 1e-6) seen++;
    }
    expect(seen).toBeGreaterThan(10);
  });
});

describe('isPositive', () => {
  const positive = (l: number[][]) => isPositive(flat(l), diagonalOf(l), l.length);

  test('up to rounding, whatever the scales of the items', () => {
    for (const n of [1, 2, 7, 20, 70]) {
      const random = seeded(n);
      const unit = unitDiagonal(psd(random, n, Math.ceil(n / 2)));
      const q = Array.from({ length: n }, () => 10 ** (140 * random.next() - 70));
      expect([positive(unit), positive(weighted(unit, q))]).toEqual([true, true]);
      const lowest = eigenvalues(unit)[0];
      const shift = (by: number) => unit.map((row, i) => row.map((value, j) => value - (i === j ? lowest + by : 0)));
      // A unit diagonal takes 1e-10 off the diagonal and no more.
      if (n > 2) expect([positive(shift(1e-12)), positive(shift(1e-8))]).toEqual([true, false]);
    }
  });
});
