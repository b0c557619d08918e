import { describe, expect, test } from 'vitest';
import { assemble } from '../../../scripts/assemble.ts';
import { factorMemory } from '../../../src/selection/dpp/factor-memory.ts';
import { pivotedCholesky } from '../../../src/selection/dpp/pivoted-cholesky.ts';
import { ELIMINATE_PIVOT } from '../../../src/selection/dpp/wasm-code.ts';
import { seeded } from '../kernel/random.ts';
import { diagonalOf, gaussian } from './kernels.ts';

test('the bytes are those of the text', async () => {
  expect(Buffer.from(ELIMINATE_PIVOT, 'base64').equals(Buffer.from(await assemble('eliminate-pivot')))).toBe(true);
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
