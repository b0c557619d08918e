import { describe, expect, test } from 'vitest';
import { pivotedCholesky } from '../../../src/selection/dpp/pivoted-cholesky.ts';
import { furthest, seeded } from '../kernel/random.ts';
import { diagonalOf, psd, schurComplement } from './kernels.ts';

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
