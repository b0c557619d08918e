import { describe, expect, test } from 'vitest';
import { isPositive } from '../../../src/selection/dpp/kernel-dpp.ts';
import { clip, nystromFactor } from '../../../src/selection/dpp/low-rank.ts';
import { symmetricEigen } from '../../../src/selection/dpp/symmetric-eigen.ts';
import { furthest, seeded } from '../kernel/random.ts';
import {
  bertscoreGaussian,
  clipped,
  diagonalOf,
  eigenvalues,
  flat,
  gram,
  psd,
  unitDiagonal,
  weighted,
} from './kernels.ts';

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

describe('clip', () => {
  test('the positive part by ml-matrix; positive kernels stay as they are', () => {
    for (let seed = 0; seed < 30; seed++) {
      const random = seeded(seed);
      const n = 1 + random.below(20);
      const indefinite = psd(random, n, n).map((row, i) => row.map((value, j) => value - (i === j ? n / 2 : 0)));
      const found = clip(symmetricEigen(flat(indefinite), n), n);
      expect(furthest(found, flat(clipped(indefinite)))).toBeLessThan(1e-12 * n * n);
      for (let i = 0; i < n; i++) for (let j = 0; j < i; j++) expect(found[i * n + j]).toBe(found[j * n + i]);
      const positive = psd(random, n, 2);
      expect(furthest(clip(symmetricEigen(flat(positive), n), n), flat(positive))).toBeLessThan(1e-12 * n);
    }
    expect([...clip(symmetricEigen(Float64Array.of(0, 1, 1, 0), 2), 2)]).toEqual(
      [0.5, 0.5, 0.5, 0.5].map((value) => expect.closeTo(value, 14)),
    );
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
