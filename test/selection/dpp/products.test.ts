import { Matrix } from 'ml-matrix';
import { expect, test } from 'vitest';
import { gram, multiply } from '../../../src/selection/dpp/low-rank.ts';
import { seeded } from '../kernel/random.ts';

test.each([
  [0, 0],
  [1, 1],
  [3, 2],
  [7, 5],
  [64, 16],
  [131, 37],
])('%i x %i: V^T V and V E by ml-matrix, also after a larger one left its numbers behind', (n, r) => {
  const random = seeded(n);
  const normals = (length: number) => Float64Array.from({ length }, () => random.normal());
  gram(normals(200 * 50), 200, 50);
  const v = normals(n * r);
  const e = normals(r * r);
  const asMatrix = (values: Float64Array, rows: number) =>
    new Matrix(Array.from({ length: rows }, (_, i) => [...values.subarray(i * r, (i + 1) * r)]));
  const square = r === 0 ? [] : asMatrix(v, n).transpose().mmul(asMatrix(v, n)).to1DArray();
  const product = r === 0 ? [] : asMatrix(v, n).mmul(asMatrix(e, r)).to1DArray();
  const close = (given: Float64Array, expected: number[]) => {
    expect(given).toHaveLength(expected.length);
    for (const [k, value] of expected.entries()) expect(given[k]).toBeCloseTo(value, 10);
  };
  close(gram(v, n, r), square);
  close(multiply(v, n, e, r), product);
});
