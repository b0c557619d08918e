import { CholeskyDecomposition, Matrix } from 'ml-matrix';
import { describe, expect, test } from 'vitest';
import type { BlockMatrix } from '../../../src/selection/dpp/block-matrix.ts';
import { choleskyOf, copyLower } from '../../../src/selection/dpp/cholesky.ts';
import { furthest, type Random, seeded } from '../kernel/random.ts';

/** Factors in place; whether the matrix is positive definite. */
function cholesky(a: Float64Array, n: number, matrix?: BlockMatrix): boolean {
  const factor = choleskyOf(n, (i, row) => row.set(a.subarray(i * n, i * n + i + 1)), matrix);
  if (factor !== null) copyLower(factor, a, n);
  return factor !== null;
}

const SIZES = [1, 2, 3, 4, 5, 6, 7, 8, 9, 63, 64, 65, 66, 130, 300];

/** A A^T / n + 0.1 I, row-major. */
function positiveDefinite(random: Random, n: number): Float64Array {
  const a = new Matrix(Array.from({ length: n }, () => Array.from({ length: n }, () => random.normal())));
  const product = a.mmul(a.transpose()).mul(1 / n);
  return Float64Array.from({ length: n * n }, (_, at) => {
    const [i, j] = [Math.floor(at / n), at % n];
    return product.get(Math.max(i, j), Math.min(i, j)) + (i === j ? 0.1 : 0);
  });
}

function matrixOf(a: Float64Array, n: number): Matrix {
  return Matrix.from1DArray(n, n, Array.from(a));
}

/** The lower triangle, 0 above. */
function lower(a: Float64Array, n: number): Float64Array {
  return a.map((value, at) => (at % n <= Math.floor(at / n) ? value : 0));
}

/** Bit by bit; `toEqual` takes seconds for as many numbers. */
function isSame(a: Float64Array, b: Float64Array): boolean {
  const [x, y] = [a, b].map((values) => Buffer.from(values.buffer, values.byteOffset, values.byteLength));
  return x.equals(y);
}

describe('cholesky', () => {
  test.each(SIZES)('n = %i: the factor of ml-matrix, whose product is the matrix', (n) => {
    const a = positiveDefinite(seeded(n), n);
    const c = a.slice();
    expect(cholesky(c, n)).toBe(true);
    const factor = lower(c, n);
    expect(furthest(factor, new CholeskyDecomposition(matrixOf(a, n)).lowerTriangularMatrix.to1DArray())).toBeLessThan(
      1e-12 * n,
    );
    const product = matrixOf(factor, n).mmul(matrixOf(factor, n).transpose());
    expect(furthest(product.to1DArray(), a)).toBeLessThan(1e-14 * n);
  });

  test.each(SIZES)('n = %i: not positive definite, whichever pivot shows it', (n) => {
    const a = positiveDefinite(seeded(n), n);
    for (const i of new Set([0, Math.floor(n / 2), n - 2, n - 1].filter((at) => at >= 0))) {
      for (const value of [-1, 0, Number.NaN, Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY]) {
        const spoilt = a.slice();
        spoilt[i * n + i] = value;
        const before = spoilt.slice();
        expect(cholesky(spoilt, n), `${value} at ${i}`).toBe(false);
        expect(isSame(spoilt, before)).toBe(true);
      }
    }
    // 0.1 / 2 under the smallest eigenvalue is positive definite still; the largest is not.
    for (const [shift, isPositive] of [
      [0.05, true],
      [1 + Math.max(...a), false],
    ] as const) {
      const shifted = a.map((value, at) => (at % (n + 1) === 0 ? value - shift : value));
      expect(cholesky(shifted, n)).toBe(isPositive);
    }
  });
});
