import { EigenvalueDecomposition, Matrix } from 'ml-matrix';
import { describe, expect, test } from 'vitest';
import { symmetricEigen } from '../../../src/selection/dpp/symmetric-eigen.ts';
import { furthest, type Random, seeded } from '../kernel/random.ts';

function symmetric(random: Random, n: number): Float64Array {
  const a = new Float64Array(n * n);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j <= i; j++) {
      a[i * n + j] = random.normal();
      a[j * n + i] = a[i * n + j];
    }
  }
  return a;
}

const ascending = (values: ArrayLike<number>): number[] => Array.from(values).sort((a, b) => a - b);

/** Residual |A U - U diag(lambda)|, orthogonality and trace within rounding of the norm. */
function expectEigen(a: Float64Array, n: number, { values, vectors } = symmetricEigen(a, n)): void {
  expect([values.length, vectors.length]).toEqual([n, n * n]);
  const norm = Math.sqrt(a.reduce((sum, value) => sum + value * value, 0));
  const within = 10 * Math.max(n, 4) * Number.EPSILON;
  const trace = Array.from({ length: n }, (_, i) => a[i * n + i]).reduce((sum, value) => sum + value, 0);
  expect(Math.abs(values.reduce((sum, value) => sum + value, 0) - trace)).toBeLessThanOrEqual(within * norm);
  if (n === 0) return;
  const u = Matrix.from1DArray(n, n, Array.from(vectors));
  const product = Matrix.from1DArray(n, n, Array.from(a)).mmul(u);
  const scaled = u.clone().mulRowVector(Array.from(values));
  expect(Matrix.sub(product, scaled).norm()).toBeLessThanOrEqual(within * norm);
  expect(Matrix.sub(u.transpose().mmul(u), Matrix.eye(n)).norm()).toBeLessThanOrEqual(within);
}

function expectEigenvaluesOfMlMatrix(a: Float64Array, n: number): void {
  const { realEigenvalues } = new EigenvalueDecomposition(Matrix.from1DArray(n, n, Array.from(a)), {
    assumeSymmetric: true,
  });
  const norm = Math.sqrt(a.reduce((sum, value) => sum + value * value, 0));
  expect(furthest(ascending(symmetricEigen(a, n).values), ascending(realEigenvalues))).toBeLessThanOrEqual(
    20 * n * Number.EPSILON * norm,
  );
}

describe('symmetricEigen', () => {
  test.each([1, 2, 3, 4, 5, 8, 50, 257])('n = %i: A u = lambda u, orthogonal, the trace, ml-matrix', (n) => {
    const a = symmetric(seeded(n), n);
    expectEigen(a, n);
    expectEigenvaluesOfMlMatrix(a, n);
  });

  test('only the lower triangle is read, and the matrix is left as it is', () => {
    for (const n of [2, 3, 10, 33]) {
      const a = symmetric(seeded(n), n);
      const before = a.slice();
      const spoilt = a.map((value, at) => (at % n > Math.floor(at / n) ? Number.NaN : value));
      expect(symmetricEigen(spoilt, n)).toEqual(symmetricEigen(a, n));
      expect(a).toEqual(before);
    }
  });
});
