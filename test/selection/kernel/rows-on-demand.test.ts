import { expect, test } from 'vitest';
import type { Similarity } from '../../../src/selection/index.ts';
import { rowsOnDemand } from '../../../src/selection/kernel/reference.ts';
import { fullReference, givenSimilarity, landmarkReference, randomSimilarities, seeded } from './random.ts';

const N = 6;
const S = randomSimilarities(seeded(1), N);

/** The similarity, with the rows it was asked for. */
function asked(): { similarity: Similarity; rows: number[] } {
  const given = givenSimilarity(S, N);
  const rows: number[] = [];
  return {
    rows,
    similarity: {
      n: N,
      matrix: () => Promise.reject(new Error('no more than rows are to be read')),
      rows(indices) {
        rows.push(...indices);
        return given.rows(indices);
      },
    },
  };
}

const rowOf = (i: number) => S.subarray(i * N, (i + 1) * N);

test('with a reference: its rows as they are, others computed once each', async () => {
  const { similarity, rows } = asked();
  const row = rowsOnDemand(similarity, landmarkReference(S, N, [1, 4]));
  for (const i of [4, 2, 2, 1, 5, 2, 4]) expect(await row(i)).toEqual(rowOf(i));
  expect(rows).toEqual([2, 5]);
});

test('a reference of everything leaves nothing to compute, and its rows are views of it', async () => {
  const { similarity, rows } = asked();
  const reference = fullReference(S, N);
  const row = rowsOnDemand(similarity, reference);
  for (let i = 0; i < N; i++) {
    expect(await row(i)).toEqual(rowOf(i));
    expect((await row(i)).buffer).toBe(reference.similarities.buffer);
  }
  expect(rows).toEqual([]);
});
