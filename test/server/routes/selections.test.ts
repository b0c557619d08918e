import { determinant, Matrix } from 'ml-matrix';
import { describe, expect, test } from 'vitest';
import { type DrawsAnswer, type SelectionsAnswer, selectionsAnswerSchema } from '../../../src/contract/index.ts';
import { type TestApp, testApp } from '../../support/test-deps.ts';

const TEXTS = [
  'Traffic in the centre fell by 18 percent.',
  'The charge raised 40 million euros.',
  'Shops lost some customers in the first year.',
  'Deliveries arrive before seven in the morning.',
  'Traffic in the centre fell by 18 percent.',
  'Air quality near schools improved.',
];
const items = TEXTS.map((text, i) => ({ id: `i${i}`, text }));
const intent = 'How did traffic in the centre change?';
/** Positive definite, full rank. */
const kernel = [
  [2, 0.5, 0.1, 0],
  [0.5, 1, 0.3, 0.2],
  [0.1, 0.3, 1.5, 0.4],
  [0, 0.2, 0.4, 1],
];

async function answerOf({ post }: TestApp, request: object): Promise<SelectionsAnswer | DrawsAnswer> {
  const response = await post('/v1/selections', request);
  const json = (await response.json()) as SelectionsAnswer | DrawsAnswer;
  expect(response.status, JSON.stringify(json)).toBe(200);
  expect(selectionsAnswerSchema.parse(json)).toEqual(json);
  return json;
}

async function select(service: TestApp, request: object): Promise<SelectionsAnswer> {
  const answer = await answerOf(service, request);
  if (!('selected' in answer)) throw new Error('the answer holds no selection');
  return answer;
}

async function refusal(request: unknown, status = 422): Promise<{ pointer: string; detail: string }> {
  const response = await testApp().post('/v1/selections', request);
  const json = (await response.json()) as { errors?: { pointer: string; detail: string }[]; detail: string };
  expect(response.status, JSON.stringify(json)).toBe(status);
  return json.errors?.[0] ?? { pointer: '', detail: json.detail };
}

const ids = ({ selected }: Pick<SelectionsAnswer, 'selected'>) => selected.map(({ id }) => id);
const indices = ({ selected }: { selected: readonly { index: number }[] }) => selected.map(({ index }) => index);

describe('items', () => {
  test('relevant and different, with a receipt for each in the order of the request', async () => {
    const answer = await select(testApp(), { items, intent, selection: { size: { keyPoints: 3 } } });
    expect(answer.items.map(({ index, id }) => [index, id])).toEqual(items.map(({ id }, index) => [index, id]));
    expect(ids(answer)).toHaveLength(3);
    expect(ids(answer).filter((id) => id === 'i0' || id === 'i4')).toHaveLength(1); // the same words are picked once
    expect(answer.selected.map(({ rank }) => rank)).toEqual([1, 2, 3]);
    const gains = answer.selected.reduce((sum, { gain }) => sum + Number(gain), 0);
    expect(gains).toBeCloseTo(Number(answer.objective), 9);
    for (const item of answer.items) expect(item.selected).toBe(item.reason === null);
    expect(answer).toMatchObject({ gate: { kept: 6, dropped: 0 }, stoppedBy: 'size', coverage: { weight: 0 } });
  });
});

describe('embeddings', () => {
  const embeddings = [
    [3, 0, 0],
    [0.1, 0, 0],
    [0, 1, 0],
    [0, 1, 1],
  ];

  test('a query embedding decides relevance', async () => {
    const selection = { strategy: 'relevance', size: { keyPoints: 2 } };
    const answer = await select(testApp(), { embeddings, queryEmbedding: [0, 2, 2], selection });
    expect(indices(answer)).toEqual([3, 2]);
    expect(answer.items[2].relevance).toBeCloseTo(Math.SQRT1_2, 6);
  });
});

describe('a kernel', () => {
  const det = (set: readonly number[]) =>
    set.length === 0 ? 1 : determinant(new Matrix(set.map((i) => set.map((j) => kernel[i][j]))));

  test('is used as L as it stands', async () => {
    const answer = await select(testApp(), { kernel, selection: { size: { keyPoints: 2 } } });
    const chosen = indices(answer);
    expect(answer.logDeterminant).toBeCloseTo(Math.log(det(chosen)), 9);
    const exact = await select(testApp(), { kernel, selection: { strategy: 'dpp-map-exact', size: { keyPoints: 2 } } });
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
});

describe('a stored digest', () => {
  test('404 where there is none', async () => {
    await refusal({ digest: 'dig_0' }, 404);
  });
});

test.each([
  ['nothing to select from', {}, ''],
  ['two things to select from', { items, kernel }, '/kernel'],
  ['an intent without text', { kernel, intent }, '/intent'],
  ['a query embedding without embeddings', { items, queryEmbedding: [1] }, '/queryEmbedding'],
  ['scores beside an intent', { items, intent, relevanceScores: [1, 1, 1, 1, 1, 1] }, '/relevanceScores'],
  ['scores of another length', { kernel, relevanceScores: [1] }, '/relevanceScores'],
  ['kernel options for a given kernel', { kernel, selection: { kernel: { sigma: 1 } } }, '/selection/kernel'],
  [
    'token similarity of embeddings',
    { embeddings: [[1]], selection: { kernel: { similarity: 'bertscore' } } },
    '/selection/kernel/similarity',
  ],
  ['idf without tokens', { embeddings: [[1]], selection: { kernel: { idf: 1 } } }, '/selection/kernel/idf'],
  ['a gate without relevance', { items, selection: { relevance: { gate: 0.5 } } }, '/selection/relevance/gate'],
  ['words without text', { kernel, selection: { size: { words: 10 } } }, '/selection/size'],
  ['a weight of background without one', { items, selection: { background: { weight: 2 } } }, '/selection/background'],
  ['an encoder without text', { kernel, engine: { encoder: 'hashed-words' } }, '/engine/encoder'],
  ['an encoder that is not there', { items, engine: { encoder: 'x' } }, '/engine/encoder'],
  ['two items of one id', { items: [items[0], items[0]] }, '/items/1/id'],
  ['vectors of two lengths', { embeddings: [[1], [1, 2]] }, '/embeddings/1'],
  ['a query of another length', { embeddings: [[1]], queryEmbedding: [1, 2] }, '/queryEmbedding'],
  ['an unknown field', { items, documents: [] }, '/documents'],
])('refuses %s', async (_, request, pointer) => {
  expect((await refusal(request)).pointer).toBe(pointer);
});
