import { expect, onTestFinished, test } from 'vitest';
import { type MatrixProduct, portable } from '../../../src/models/index.ts';
import type { TokenMatrix } from '../../../src/selection/index.ts';
import { bertScores, tokenMatrix, tokenWeights } from '../../../src/selection/index.ts';

const bertScore = (items: TokenMatrix, weights: Float32Array, product: MatrixProduct) =>
  bertScores(items, [weights], product)[0];

const DIMENSIONS = 8;

/** Statements of many tokens, so that their products are made in several tiles. */
function statements(count: number, tokens: number) {
  return Array.from({ length: count }, (_, i) => ({
    sentence: new Float32Array(DIMENSIONS),
    tokens: Int8Array.from({ length: tokens * DIMENSIONS }, (_, k) => ((i * 31 + k * 17) % 200) - 100),
    tokenIds: Int32Array.from({ length: tokens }, (_, t) => (i + t) % 50),
  }));
}

/** Products that fail from the k-th on. */
function failingAt(k: number): MatrixProduct {
  let multiplied = 0;
  return {
    name: portable.name,
    async prepare(...given) {
      const prepared = await portable.prepare(...given);
      return {
        rows: prepared.rows,
        async multiply(...asked) {
          if (++multiplied >= k) throw new Error('called off');
          return prepared.multiply(...asked);
        },
      };
    },
  };
}

test.each([1, 2, 3, 5])('called off at product %i, it fails once, and nothing fails unheard', async (k) => {
  const unhandled: unknown[] = [];
  const note = (failure: unknown): void => {
    unhandled.push(failure);
  };
  process.on('unhandledRejection', note);
  onTestFinished(() => {
    process.off('unhandledRejection', note);
  });
  const items = tokenMatrix(statements(12, 400), DIMENSIONS);
  await expect(bertScore(items, tokenWeights(items, 0), failingAt(k)).matrix()).rejects.toThrow('called off');
  await new Promise((done) => setTimeout(done, 5));
  expect(unhandled).toEqual([]);
});
