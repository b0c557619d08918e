import { determinant, Matrix } from 'ml-matrix';
import { expect, test } from 'vitest';
import { type SelectionsAnswer, selectionsAnswerSchema } from '../../../src/contract/index.ts';
import { testApp } from '../../support/test-deps.ts';

/** Positive definite, full rank. */
const kernel = [
  [2, 0.5, 0.1, 0],
  [0.5, 1, 0.3, 0.2],
  [0.1, 0.3, 1.5, 0.4],
  [0, 0.2, 0.4, 1],
];

async function select(request: object): Promise<SelectionsAnswer> {
  const response = await testApp().post('/v1/selections', request);
  const json = (await response.json()) as SelectionsAnswer;
  expect(response.status, JSON.stringify(json)).toBe(200);
  expect(selectionsAnswerSchema.parse(json)).toEqual(json);
  return json;
}

const det = (set: readonly number[]) =>
  set.length === 0 ? 1 : determinant(new Matrix(set.map((i) => set.map((j) => kernel[i][j]))));

test('a kernel is used as L as it stands', async () => {
  const answer = await select({ kernel, selection: { size: { keyPoints: 2 } } });
  const chosen = answer.selected.map(({ index }) => index);
  expect(answer.logDeterminant).toBeCloseTo(Math.log(det(chosen)), 9);
  const exact = await select({ kernel, selection: { strategy: 'dpp-map-exact', size: { keyPoints: 2 } } });
  const pairs = [0, 1, 2, 3].flatMap((i) => [0, 1, 2, 3].filter((j) => j > i).map((j) => [i, j]));
  expect(exact.logDeterminant).toBeCloseTo(Math.log(Math.max(...pairs.map(det))), 9);
  expect(exact).toMatchObject({ proven: true, gap: 0 });
  for (const { index, nearest } of answer.items) {
    if (nearest === null) continue;
    const expected =
      kernel[index][nearest.index] / Math.sqrt(kernel[index][index] * kernel[nearest.index][nearest.index]);
    expect(nearest.similarity).toBeCloseTo(expected, 6);
  }
});

test('of wrong numbers in embeddings the rows are named, however many there are', async () => {
  const row = `[${'1e999,'.repeat(7999)}1]`;
  const body = `{"embeddings":[[${'1,'.repeat(7999)}1]${`,${row}`.repeat(25)}]}`;
  const response = await testApp().post('/v1/selections', body);
  const { status, errors } = await response.json();
  expect([status, errors.length, errors[0]]).toEqual([
    422,
    25,
    { pointer: '/embeddings/1', detail: 'must be an array of 1 to 8192 numbers' },
  ]);
});
