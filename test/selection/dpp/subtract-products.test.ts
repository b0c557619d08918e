import { expect, test } from 'vitest';
import { assemble } from '../../../scripts/assemble.ts';
import { blockMatrix } from '../../../src/selection/dpp/block-matrix.ts';
import { SUBTRACT_PRODUCTS } from '../../../src/selection/dpp/wasm-code.ts';
import { seeded } from '../kernel/random.ts';

test('the bytes are those of the text', async () => {
  expect(Buffer.from(SUBTRACT_PRODUCTS, 'base64').equals(Buffer.from(await assemble('subtract-products')))).toBe(true);
});

test.each([4, 20, 64])('WebAssembly and JavaScript subtract the same products from %i columns', (n) => {
  const random = seeded(n);
  const entries = Float64Array.from({ length: 2 * n * n }, () => random.normal());
  const block = [4, 2 * n, n - 4, n, 0, n - 4] as const; // rows, then columns, then k
  const results = [blockMatrix(2 * n, n), blockMatrix(2 * n, n, null)].map((matrix) => {
    matrix.values.set(entries);
    matrix.subtract(...block);
    return matrix.values;
  });
  expect(results[1]).toEqual(results[0]); // to the last bit: what a runtime may compile does not change what is drawn
  for (let i = 0; i < 2 * n; i++) {
    for (let j = 0; j < n; j++) {
      let expected = entries[i * n + j];
      if (i >= 4 && j >= n - 4) for (let k = 0; k < n - 4; k++) expected -= entries[i * n + k] * entries[j * n + k];
      for (const values of results) expect(values[i * n + j]).toBeCloseTo(expected, 10);
    }
  }
});
