import { describe, expect, test } from 'vitest';
import { assemble } from '../../../scripts/assemble.ts';
import { blockMatrix } from '../../../src/selection/dpp/block-matrix.ts';
import { factorMemory } from '../../../src/selection/dpp/factor-memory.ts';
import { pivotedCholesky } from '../../../src/selection/dpp/pivoted-cholesky.ts';
import { ELIMINATE_PIVOT, SUBTRACT_PRODUCTS } from '../../../src/selection/dpp/wasm-code.ts';
import { seeded } from '../kernel/random.ts';
import { diagonalOf, gaussian } from './kernels.ts';

test.each([
  ['eliminate-pivot', ELIMINATE_PIVOT],
  ['subtract-products', SUBTRACT_PRODUCTS],
] as const)('the bytes are those of %s.wat', async (name, base64) => {
  expect(Buffer.from(base64, 'base64').equals(Buffer.from(await assemble(name)))).toBe(true);
});

describe.each([40, 130, 1100])('WebAssembly and JavaScript agree to the last bit on %i items', (n) => {
  const width = Math.ceil(n / 64) * 64;
  const k = gaussian(seeded(n), n, 3, 1);
  const weights = Float64Array.from({ length: n }, (_, i) => 1 + (i % 7) / 3);

  test('residuals, coordinates and scores, pivot after pivot', () => {
    const both = [factorMemory(), factorMemory(null)].map((memory) => ({
      memory,
      target: pivotedCholesky(diagonalOf(k), undefined, memory),
    }));
    const random = seeded(1);
    const scores = both.map(({ target }) => target.score(weights));
    for (const i of random.permutation(n).slice(0, 41)) {
      for (const { target } of both) target.pivot(i, k[i]);
      const [one, other] = both.map(({ memory: { values }, target: { pivots } }) => [
        values.slice(0, width),
        values.slice(4 * width, 4 * width + width / 64),
        values.slice((4 + pivots.length) * width, (5 + pivots.length) * width),
      ]);
      for (const part of [0, 1, 2])
        expect(one[part].every((value, at) => Object.is(value, other[part][at]))).toBe(true);
      const [largest, again] = scores.map((each) => each.largest());
      expect(largest).toEqual(again);
    }
    for (const { target } of both) target.release();
  });

  test('the largest score is the largest of all, and all of at least a score are found', () => {
    const target = pivotedCholesky(diagonalOf(k));
    const scores = target.score(weights);
    const random = seeded(2);
    for (const i of random.permutation(n).slice(0, 12)) {
      target.pivot(i, k[i]);
      scores.weigh((i + 1) % n, 0);
      const all = Array.from(k, (_, j) => scores.of(j));
      const score = Math.max(...all);
      expect(scores.largest()).toEqual({ item: all.indexOf(score), score });
      const least = score * random.next();
      expect(scores.from(least)).toEqual(Array.from(all.keys()).filter((j) => all[j] >= least));
    }
    target.release();
  });
});

test('a decomposition that left its memory to another says so, and the next one starts anew', () => {
  const n = 200;
  const k = gaussian(seeded(3), n, 3, 1);
  const first = pivotedCholesky(diagonalOf(k));
  for (const i of [3, 50, 199]) first.pivot(i, k[i]);
  const before = Array.from(k, (_, i) => first.residual(i));
  first.release();
  first.release();
  expect(() => first.residual(0)).toThrow(TypeError);
  expect(() => first.pivot(5, k[5])).toThrow(TypeError);
  const [second, third] = [pivotedCholesky(diagonalOf(k)), pivotedCholesky(diagonalOf(k))];
  for (const i of [3, 50, 199]) second.pivot(i, k[i]);
  third.pivot(7, k[7]);
  expect(Array.from(k, (_, i) => second.residual(i))).toEqual(before);
  second.release();
  third.release();
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
