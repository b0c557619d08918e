import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { MatrixProduct } from '../../../src/models/index.ts';
import { portable } from '../../../src/models/index.ts';
import { quantizeRows } from '../../../src/models/linear-algebra/matrix-product.ts';
import { onnxruntime } from '../../../src/models/linear-algebra/onnxruntime.node.ts';
import {
  bertScoreBetween,
  bertScores,
  type TokenMatrix,
  tokenMatrix,
  tokenWeights,
} from '../../../src/selection/index.ts';
import { dot, furthest, type Random, seeded, unitRows } from './random.ts';

const bertScore = (items: TokenMatrix, weights: Float32Array, product: MatrixProduct) =>
  bertScores(items, [weights], product)[0];

const D = 16;

interface Item {
  readonly tokens: Float32Array;
  readonly tokenIds: Int32Array;
}

/** Items of random tokens, some of them shared; `lengths` tokens each. */
function items(random: Random, lengths: readonly number[], vocabulary = 40): Item[] {
  return lengths.map((length) => ({
    tokens: unitRows(random, length, D),
    tokenIds: Int32Array.from({ length }, () => random.below(vocabulary)),
  }));
}

/** Zhang et al. 2020, equations 1-3 with token weights, in double precision, token by token. */
function naive(all: TokenMatrix, w: ArrayLike<number>, i: number, j: number): number {
  const vector = (t: number) => all.vectors.subarray(t * D, (t + 1) * D);
  const range = (k: number) =>
    Array.from({ length: all.offsets[k + 1] - all.offsets[k] }, (_, t) => all.offsets[k] + t);
  const recall = (a: number, b: number) => {
    if (range(a).length === 0 || range(b).length === 0) return 0;
    let sum = 0;
    let weight = 0;
    for (const t of range(a)) {
      sum += w[t] * Math.max(...range(b).map((s) => dot(vector(t), vector(s))));
      weight += w[t];
    }
    return sum / weight;
  };
  if (i === j) return 1;
  const [r, p] = [recall(i, j), recall(j, i)];
  return r + p > 0 ? Math.min(1, Math.max(-1, (2 * r * p) / (r + p))) : 0;
}

function naiveMatrix(all: TokenMatrix, w: ArrayLike<number>): Float64Array {
  return Float64Array.from({ length: all.n ** 2 }, (_, at) => naive(all, w, Math.floor(at / all.n), at % all.n));
}

const lengthsOf = fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 9 });

test('the matrix is BERTScore as published, token by token, with any positive weights', async () => {
  await fc.assert(
    fc.asyncProperty(lengthsOf, fc.integer(), async (lengths, seed) => {
      const random = seeded(seed);
      const all = tokenMatrix(items(random, lengths), D);
      const weights = Float32Array.from(all.tokenIds, () => 0.1 + random.next());
      const found = await bertScore(all, weights, portable).matrix();
      expect(furthest(found, naiveMatrix(all, weights))).toBeLessThan(2e-6);
    }),
    { seed: 1, numRuns: 60 },
  );
});

describe('items of many tiles', () => {
  const random = seeded(11);
  // Around the 1,024 tokens of a tile: longer than one, exactly one, many in one, and none at all.
  const lengths = [3, 1100, 0, 2, 1024, 700, 400, 5, 0, 1, 1030];
  const all = tokenMatrix(items(random, lengths, 2000), D);
  const n = lengths.length;
  const weights = Float32Array.from(all.tokenIds, () => random.next());

  test('what the naive double loop gives', async () => {
    const found = await bertScore(all, weights, portable).matrix();
    const pairs = [
      [1, 4],
      [1, 10],
      [0, 10],
      [5, 6],
      [3, 5],
      [7, 9],
      [2, 1],
      [2, 8],
    ];
    for (const [i, j] of pairs) {
      expect(Math.abs(found[i * n + j] - naive(all, weights, i, j)), `${i}, ${j}`).toBeLessThan(1e-5);
    }
  });

  test('rows are the rows of the matrix, in the order asked for, also twice the same', async () => {
    const whole = await bertScore(all, weights, portable).matrix();
    for (const indices of [[10, 0, 2, 4], [1], [], [7, 7], Array.from({ length: n }, (_, i) => i)]) {
      const rows = await bertScore(all, weights, portable).rows(indices);
      const expected = indices.flatMap((i) => [...whole.subarray(i * n, (i + 1) * n)]);
      expect(furthest(rows, expected)).toBeLessThan(2e-6);
    }
  });

  test('another backend agrees to rounding', async () => {
    const other = await bertScore(all, weights, await onnxruntime()).matrix();
    expect(furthest(await bertScore(all, weights, portable).matrix(), other)).toBeLessThan(5e-6);
  });
});

test.each([1, 2, 7, 50])('identical items of %i tokens are exactly 1 apart from rounding', async (length) => {
  const random = seeded(length);
  const [a, b, c] = items(random, [length, length, 5]);
  const all = tokenMatrix([a, c, a, b, a], D);
  for (const power of [0, 2]) {
    const s = await bertScore(all, tokenWeights(all, power), portable).matrix();
    for (const [i, j] of [
      [0, 2],
      [0, 4],
      [2, 4],
    ]) {
      expect(s[i * 5 + j]).toBe(1);
      expect(s[j * 5 + i]).toBe(1);
    }
    expect(s[3]).toBeLessThan(1);
  }
});

test('bertScoreBetween two sets is the block of their union', async () => {
  const random = seeded(13);
  const [left, right] = [items(random, [3, 0, 8, 900]), items(random, [2, 5, 700, 0, 1])];
  const union = tokenMatrix([...left, ...right], D);
  const weights = Float32Array.from(union.tokenIds, () => 0.1 + random.next());
  const [a, b] = [tokenMatrix(left, D), tokenMatrix(right, D)];
  const cut = union.offsets[left.length];
  const between = await bertScoreBetween(a, weights.subarray(0, cut), b, weights.subarray(cut), portable);
  const whole = await bertScore(union, weights, portable).matrix();
  const expected = left.flatMap((_, i) => right.map((_, j) => whole[i * union.n + left.length + j]));
  expect(furthest(between, expected)).toBeLessThan(2e-6);
  const none = tokenMatrix([], D);
  expect(await bertScoreBetween(none, new Float32Array(0), b, weights.subarray(cut), portable)).toHaveLength(0);
  expect(await bertScoreBetween(a, weights.subarray(0, cut), none, new Float32Array(0), portable)).toHaveLength(0);
});

describe('token weights', () => {
  const of = (...ids: number[]): Item => ({
    tokens: new Float32Array(ids.length * D).fill(1),
    tokenIds: Int32Array.from(ids),
  });

  test('idf to a power, counting items and not occurrences', () => {
    const all = tokenMatrix([of(1, 2, 2), of(1, 3), of(1)], D);
    const idf = (df: number) => Math.log(4 / (df + 1));
    expect([...tokenWeights(all, 1)]).toEqual([0, idf(1), idf(1), 0, idf(1), 1].map(Math.fround));
    expect([...tokenWeights(all, 2)]).toEqual([0, idf(1) ** 2, idf(1) ** 2, 0, idf(1) ** 2, 1].map(Math.fround));
  });
});

test('tokenMatrix lays items end to end as unit vectors', () => {
  const all = tokenMatrix(
    [
      { tokens: [3, 4, 0, 0], tokenIds: Int32Array.of(5, 6) },
      { tokens: [], tokenIds: new Int32Array(0) },
      { tokens: Int8Array.of(0, -127), tokenIds: Int32Array.of(7) },
    ],
    2,
  );
  expect([...all.offsets]).toEqual([0, 2, 2, 3]);
  expect([...all.tokenIds]).toEqual([5, 6, 7]);
  expect([...all.vectors]).toEqual([3 / 5, 4 / 5, 0, 0, 0, -1].map(Math.fround));
});

describe('eight bits a component', () => {
  /** Items whose tokens are kept in eight bits. */
  const inEightBits = (random: Random, lengths: readonly number[]) =>
    items(random, lengths).map(({ tokens, tokenIds }) => ({
      tokens: quantizeRows(tokens, tokenIds.length, D),
      tokenIds,
    }));
  const lengths = [3, 1, 0, 30, 9, 17, 3, 1300, 0, 64, 2, 2, 5, 9, 33, 700];

  test('products of eight bits find what the naive double loop finds', async () => {
    const product = await onnxruntime();
    expect(product.prepareMatches).toBeDefined();
    await fc.assert(
      fc.asyncProperty(lengthsOf, fc.integer(), async (few, seed) => {
        const random = seeded(seed);
        const all = tokenMatrix(inEightBits(random, few), D);
        const sets = [Float32Array.from(all.tokenIds, () => 0.1 + random.next()), tokenWeights(all, 0)];
        const found = bertScores(all, sets, product);
        for (const [set, weights] of sets.entries()) {
          expect(furthest(await found[set].matrix(), naiveMatrix(all, weights))).toBeLessThan(2e-6);
        }
      }),
      { seed: 3, numRuns: 40 },
    );
  });

  test('a value depends on its two items alone, to the last bit: not on others, their order, nor on how it is read', async () => {
    const product = await onnxruntime();
    const random = seeded(23);
    const given = inEightBits(random, lengths);
    const all = tokenMatrix(given, D);
    const n = given.length;
    const weights = Float32Array.from(all.tokenIds, (id) => 0.1 + (id % 7));
    const whole = await bertScore(all, weights, product).matrix();
    const indices = [7, 0, 2, 14];
    const rows = await bertScore(all, weights, product).rows(indices);
    expect([...rows]).toEqual(indices.flatMap((i) => [...whole.subarray(i * n, (i + 1) * n)]));
    const order = seeded(5).permutation(n).slice(0, 9);
    const some = tokenMatrix(
      order.map((i) => given[i]),
      D,
    );
    const own = Float32Array.from(some.tokenIds, (id) => 0.1 + (id % 7));
    const part = await bertScore(some, own, product).matrix();
    expect([...part]).toEqual(order.flatMap((i) => order.map((j) => whole[i * n + j])));
    const [left, right] = [given.slice(0, 6), given.slice(6)].map((each) => tokenMatrix(each, D));
    const [leftWeights, rightWeights] = [left, right].map((each) =>
      Float32Array.from(each.tokenIds, (id) => 0.1 + (id % 7)),
    );
    const between = await bertScoreBetween(left, leftWeights, right, rightWeights, product);
    expect([...between]).toEqual(
      Array.from({ length: 6 }, (_, i) => [...whole.subarray(i * n + 6, (i + 1) * n)]).flat(),
    );
  });
});

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
  const all = tokenMatrix(items(seeded(1), new Array(12).fill(400)), D);
  await expect(bertScore(all, tokenWeights(all, 0), failingAt(k)).matrix()).rejects.toThrow('called off');
  await new Promise((done) => setTimeout(done, 5));
  expect(unhandled).toEqual([]);
});
