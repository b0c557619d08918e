import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { chooseMatrixProduct } from '../../../src/models/index.node.ts';
import { type MatrixProduct, portable, quantizeRows } from '../../../src/models/index.ts';
import {
  bertScoreBetween,
  bertScores,
  type TokenMatrix,
  tokenMatrix,
  tokenWeights,
} from '../../../src/selection/index.ts';
import { dot, furthest, matrixOf, type Random, seeded, unitRows } from './random.ts';

const D = 16;

/** Items of random tokens, some of them shared; `lengths` tokens each. */
function items(random: Random, lengths: readonly number[], vocabulary = 40) {
  return lengths.map((length) => ({
    tokens: quantizeRows(unitRows(random, length, D), length, D),
    tokenIds: Int32Array.from({ length }, () => random.below(vocabulary)),
  }));
}

/** Zhang et al. 2020, equations 1-3 with token weights, in double precision, token by token. */
function naive({ tokens, offsets }: TokenMatrix, w: ArrayLike<number>, i: number, j: number): number {
  const vector = (t: number) => tokens.subarray(t * D, (t + 1) * D);
  const cosine = (a: Int8Array, b: Int8Array) => dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b));
  const range = (k: number) => Array.from({ length: offsets[k + 1] - offsets[k] }, (_, t) => offsets[k] + t);
  const recall = (a: number, b: number) => {
    if (range(a).length === 0 || range(b).length === 0) return 0;
    let sum = 0;
    let weight = 0;
    for (const t of range(a)) {
      sum += w[t] * Math.max(...range(b).map((s) => cosine(vector(t), vector(s))));
      weight += w[t];
    }
    return sum / weight;
  };
  if (i === j) return 1;
  const [r, p] = [recall(i, j), recall(j, i)];
  return r + p > 0 ? Math.min(1, Math.max(-1, (2 * r * p) / (r + p))) : 0;
}

const lengthsOf = fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 9 });
// Around the 1,024 tokens of a part: longer than one, many in one, and none at all.
const LENGTHS = [3, 1, 0, 30, 9, 17, 3, 1300, 0, 64, 2, 2, 5, 9, 33, 700, 1024];

describe.each(['portable', 'onnxruntime'] as const)('%s', async (name) => {
  const product = await chooseMatrixProduct(name);

  test('the matrix is BERTScore as published, token by token, for each set of positive weights', async () => {
    await fc.assert(
      fc.asyncProperty(lengthsOf, fc.integer(), async (lengths, seed) => {
        const random = seeded(seed);
        const all = tokenMatrix(items(random, lengths), D);
        const sets = [Float32Array.from(all.tokenIds, () => 0.1 + random.next()), tokenWeights(all, 0)];
        const found = bertScores(all, sets, product);
        for (const [set, weights] of sets.entries()) {
          const expected = Float64Array.from({ length: all.n ** 2 }, (_, at) =>
            naive(all, weights, Math.floor(at / all.n), at % all.n),
          );
          expect(furthest(await matrixOf(found[set]), expected)).toBeLessThan(2e-6);
        }
      }),
      { seed: 1, numRuns: 40 },
    );
  });

  test('a value depends on its two items alone, to the last bit: not on others, their order, nor on how it is read', async () => {
    const given = items(seeded(23), LENGTHS);
    const n = given.length;
    const made = (some: typeof given) => {
      const all = tokenMatrix(some, D);
      const weights = Float32Array.from(all.tokenIds, (id) => 0.1 + (id % 7));
      return { all, weights, score: bertScores(all, [weights], product)[0] };
    };
    const whole = await matrixOf(made(given).score);
    const rowOf = (i: number) => [...whole.subarray(i * n, (i + 1) * n)];
    for (const indices of [[7, 0, 2, 14], [1], [], [7, 7]]) {
      expect([...(await made(given).score.rows(indices))]).toEqual(indices.flatMap(rowOf));
    }
    const order = seeded(5).permutation(n).slice(0, 9);
    const part = await matrixOf(made(order.map((i) => given[i])).score);
    expect([...part]).toEqual(order.flatMap((i) => order.map((j) => whole[i * n + j])));
    const [left, right] = [made(given.slice(0, 6)), made(given.slice(6))];
    const between = await bertScoreBetween(left.all, left.weights, right.all, right.weights, product);
    expect([...between]).toEqual([0, 1, 2, 3, 4, 5].flatMap((i) => rowOf(i).slice(6)));
    const none = tokenMatrix([], D);
    expect(await bertScoreBetween(none, new Float32Array(0), right.all, right.weights, product)).toHaveLength(0);
    expect(await bertScoreBetween(left.all, left.weights, none, new Float32Array(0), product)).toHaveLength(0);
  });
});

test('the backends agree to the last bit', async () => {
  const all = tokenMatrix(items(seeded(11), LENGTHS, 2000), D);
  const matrix = (product: MatrixProduct) => matrixOf(bertScores(all, [tokenWeights(all, 2)], product)[0]);
  expect(await matrix(portable)).toEqual(await matrix(await chooseMatrixProduct('onnxruntime')));
});

test.each([1, 2, 7, 50])('identical items of %i tokens are exactly 1 apart from rounding', async (length) => {
  const [a, , c] = items(seeded(length), [length, length, 5]);
  const all = tokenMatrix([a, c, a], D);
  for (const power of [0, 2]) {
    const s = await matrixOf(bertScores(all, [tokenWeights(all, power)], portable)[0]);
    expect([s[2], s[6]]).toEqual([1, 1]);
    expect(s[1]).toBeLessThan(1);
  }
});

test('token weights are idf to a power, counting items and not occurrences', () => {
  const of = (...ids: number[]) => ({ tokens: new Int8Array(ids.length * D), tokenIds: Int32Array.from(ids) });
  const all = tokenMatrix([of(1, 2, 2), of(1, 3), of(1)], D);
  const idf = (df: number) => Math.log(4 / (df + 1));
  expect([...tokenWeights(all, 1)]).toEqual([0, idf(1), idf(1), 0, idf(1), 1].map(Math.fround));
  expect([...tokenWeights(all, 2)]).toEqual([0, idf(1) ** 2, idf(1) ** 2, 0, idf(1) ** 2, 1].map(Math.fround));
});
