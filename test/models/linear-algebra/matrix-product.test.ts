import { beforeAll, describe, expect, test } from 'vitest';
import { chooseMatrixProduct } from '../../../src/models/index.node.ts';
import type { MatrixProduct } from '../../../src/models/index.ts';
import { normals, seeded } from '../../selection/kernel/random.ts';

/** Rounding of a Float32 sum, whatever its order: at most about inner x 2^-24 of the sum of magnitudes. */
const UNIT = 2 ** -24;

/** A B^T by a triple loop in double precision, and the same of magnitudes. */
function naive(a: Float32Array, b: Float32Array, rows: number, columns: number, inner: number) {
  const product = new Float64Array(rows * columns);
  const magnitude = new Float64Array(rows * columns);
  for (let i = 0; i < rows; i++) {
    for (let j = 0; j < columns; j++) {
      for (let t = 0; t < inner; t++) {
        product[i * columns + j] += a[i * inner + t] * b[j * inner + t];
        magnitude[i * columns + j] += Math.abs(a[i * inner + t] * b[j * inner + t]);
      }
    }
  }
  return { product, magnitude };
}

const SHAPES = [
  [1, 1, 1],
  [1, 65, 384],
  [3, 64, 512],
  [4, 63, 7],
  [5, 129, 384],
  [66, 1, 512],
  [7, 200, 33],
] as const;

describe.each(['portable', 'onnxruntime'] as const)('%s', (name) => {
  let product: MatrixProduct;
  beforeAll(async () => {
    product = await chooseMatrixProduct(name);
  });

  test.each(SHAPES)('%i x %i, inner %i: what a triple loop gives', async (rows, columns, inner) => {
    const random = seeded(rows * 1000 + columns);
    const a = normals(random, rows * inner);
    const b = normals(random, columns * inner);
    const right = await product.prepare(b, columns, inner);
    const found = await right.multiply(a, rows);
    const expected = naive(a, b, rows, columns, inner);
    expect(right.rows).toBe(columns);
    expect(found).toHaveLength(rows * columns);
    for (let k = 0; k < found.length; k++) {
      const bound = (inner + 1) * UNIT * expected.magnitude[k];
      expect(Math.abs(found[k] - expected.product[k])).toBeLessThanOrEqual(bound);
    }
  });

  test('one right-hand side serves many left ones, and several at once', async () => {
    const random = seeded(5);
    const b = normals(random, 70 * 16);
    const right = await product.prepare(b, 70, 16);
    b.fill(Number.NaN); // read at once, not kept
    const lefts = Array.from({ length: 5 }, (_, k) => normals(random, (k + 1) * 16));
    const apart: Float32Array[] = [];
    for (const [k, left] of lefts.entries()) apart.push(await right.multiply(left, k + 1));
    const together = await Promise.all(lefts.map((left, k) => right.multiply(left, k + 1)));
    expect(together).toEqual(apart);
    expect(apart.every((values) => values.every(Number.isFinite))).toBe(true);
  });
});
