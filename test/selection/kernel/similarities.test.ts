import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { portable } from '../../../src/models/index.ts';
import { ALL_ITEMS_LIMIT, cosineSimilarity, gramSimilarity, LANDMARKS } from '../../../src/selection/index.ts';
import { readRows, referencesAmong, rowOf, rowsWithin } from '../../../src/selection/kernel/reference.ts';
import { grams } from '../../../src/selection/kernel/similarity.ts';
import { dot, furthest, matrixOf, seeded, unitRows } from './random.ts';

describe('cosine', () => {
  test('dot products of unit vectors, 1 on the diagonal, symmetric, rows as in the matrix', async () => {
    const [n, d] = [37, 24];
    const vectors = unitRows(seeded(1), n, d);
    vectors.copyWithin(5 * d, 9 * d, 10 * d); // 5 is 9
    const similarity = cosineSimilarity(vectors, n, d, portable);
    const s = await matrixOf(similarity);
    for (let i = 0; i < n; i++) {
      for (let j = 0; j < n; j++) {
        const exact = dot(vectors.subarray(i * d, (i + 1) * d), vectors.subarray(j * d, (j + 1) * d));
        expect(Math.abs(s[i * n + j] - exact)).toBeLessThan(2e-6);
        expect(s[i * n + j]).toBe(s[j * n + i]);
      }
      expect(s[i * n + i]).toBe(1);
    }
    expect(s[5 * n + 9]).toBe(1);
    const rows = await similarity.rows([30, 2]);
    expect(furthest(rows, [...s.subarray(30 * n, 31 * n), ...s.subarray(2 * n, 3 * n)])).toBeLessThan(1e-6);
  });
});

describe('grams', () => {
  test('the similarity is the cosine of weighted sets, as written down', async () => {
    const words = ['tram', 'trams', 'tax', 'taxes', 'the', 'charge', 'charged', 'a', 'налог', 'öl'];
    const text = fc.array(fc.constantFrom(...words), { maxLength: 6 }).map((chosen) => chosen.join(' '));
    await fc.assert(
      fc.asyncProperty(fc.array(text, { maxLength: 8 }), async (texts) => {
        const n = texts.length;
        const sets = texts.map(grams);
        const idf = (gram: string) => Math.log((n + 1) / (sets.filter((set) => set.has(gram)).length + 1));
        const vocabulary = [...new Set(sets.flatMap((set) => [...set]))];
        const vectors = sets.map((set) => vocabulary.map((gram) => (set.has(gram) ? idf(gram) : 0)));
        const s = await matrixOf(gramSimilarity(texts));
        for (let i = 0; i < n; i++) {
          for (let j = 0; j < n; j++) {
            const norm = Math.hypot(...vectors[i]) * Math.hypot(...vectors[j]);
            const cosine = i === j ? 1 : norm === 0 ? 0 : dot(vectors[i], vectors[j]) / norm;
            expect(Math.abs(s[i * n + j] - cosine)).toBeLessThan(2e-6);
            expect(s[i * n + j]).toBe(s[j * n + i]);
          }
        }
        expect(await gramSimilarity(texts).rows([n - 1, 0].filter((i) => i >= 0 && n > 0))).toEqual(
          n === 0 ? new Float32Array(0) : Float32Array.from([...s.subarray((n - 1) * n), ...s.subarray(0, n)]),
        );
      }),
      { seed: 3, numRuns: 80 },
    );
  });
});

test('above the limit the references are the same landmarks, read by themselves or out of all rows', async () => {
  const n = ALL_ITEMS_LIMIT + 7;
  const similarity = {
    n,
    rows: async (indices: readonly number[]) => Float32Array.from(indices.flatMap((i) => Array(n).fill(i))),
  };
  const hashes = Array.from({ length: n }, (_, i) => `${(i * 7919) % n}`);
  const references = referencesAmong(hashes);
  expect(references).toHaveLength(LANDMARKS);
  const read = await readRows(similarity, references);
  const within = rowsWithin(await readRows(similarity, [...hashes.keys()]), references);
  expect(within.indices).toEqual(references);
  expect(furthest(within.similarities, read.similarities)).toBe(0);
  expect(rowOf(read, 5)[0]).toBe(references[5]);
});
