import { describe, expect, test } from 'vitest';
import { pivotedCholesky } from '../../../src/selection/dpp/pivoted-cholesky.ts';
import { furthest, seeded } from '../kernel/random.ts';
import { diagonalOf, flat, gram, psd, schurComplement } from './kernels.ts';

/** What the decomposition says of every item, asked in the given order. */
function readAll(
  target: ReturnType<typeof pivotedCholesky>,
  order: readonly number[],
): { residuals: number[]; coordinates: number[][] } {
  const residuals: number[] = [];
  const coordinates: number[][] = [];
  for (const i of order) {
    residuals[i] = target.residual(i);
    coordinates[i] = [...target.coordinates(i).subarray(0, target.pivots.length)];
  }
  return { residuals, coordinates };
}

describe('pivotedCholesky', () => {
  test('100 random kernels: residuals are the diagonal of the Schur complement, and only fall', () => {
    for (let seed = 0; seed < 100; seed++) {
      const random = seeded(seed);
      const n = 1 + random.below(30);
      const k = psd(random, n, n + 2);
      const target = pivotedCholesky(diagonalOf(k));
      let before = diagonalOf(k);
      for (const i of random.permutation(n).slice(0, 20)) {
        target.pivot(i, k[i]);
        expect(target.residual(i)).toBe(0);
        const complement = diagonalOf(schurComplement(k, target.pivots));
        const now = Float64Array.from(k, (_, j) => target.residual(j));
        expect(furthest(now, complement)).toBeLessThan(1e-9 * n);
        for (let j = 0; j < n; j++) expect(now[j]).toBeLessThanOrEqual(before[j]);
        before = now;
      }
    }
  });

  test('at full rank the coordinates reproduce the kernel, past 16 and 32 pivots too', () => {
    for (const n of [1, 2, 15, 16, 17, 31, 32, 33, 70]) {
      const random = seeded(n);
      const k = psd(random, n, n + 5);
      const target = pivotedCholesky(diagonalOf(k));
      const order = random.permutation(n);
      order.forEach((i, t) => {
        target.pivot(i, k[i]);
        // Some items are asked for on the way, the others are not.
        if (t % 3 === 0) target.residual((i + 1) % n);
      });
      expect(target.pivots).toEqual(order);
      const { residuals, coordinates } = readAll(target, random.permutation(n));
      expect(furthest(flat(gram(coordinates)), flat(k))).toBeLessThan(1e-10 * n);
      // What later pivots take from one is rounding.
      for (const i of order) expect([residuals[i] <= 0, residuals[i] > -1e-12]).toEqual([true, true]);
      for (const i of order) expect(target.independent(i)).toBe(0);
      // Items along the pivots are triangular: the pivot picked at t has nothing after t.
      order.forEach((i, t) => {
        expect(coordinates[i].slice(t + 1).every((v) => Math.abs(v) < 1e-6)).toBe(true);
      });
    }
  });

  test('pivoting on what depends on the pivots throws and changes nothing', () => {
    const k = [
      [4, 2, 0],
      [2, 1, 0],
      [0, 0, 3],
    ];
    const target = pivotedCholesky(diagonalOf(k));
    target.pivot(0, k[0]);
    for (const i of [0, 1]) {
      expect(() => target.pivot(i, k[i])).toThrow(RangeError);
      expect(() => target.pivot(i, k[i])).toThrow(`item ${i}`);
    }
    expect([target.pivots, target.residual(2), target.independent(2)]).toEqual([[0], 3, 3]);
    target.pivot(2, k[2]);
    expect([...target.coordinates(2).subarray(0, 2)]).toEqual([0, expect.closeTo(Math.sqrt(3), 14)]);
  });
});
