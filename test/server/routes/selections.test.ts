import { determinant, EigenvalueDecomposition, inverse, Matrix } from 'ml-matrix';
import { describe, expect, test } from 'vitest';
import { type DrawsAnswer, type SelectionsAnswer, selectionsAnswerSchema } from '../../../src/contract/index.ts';
import { MODEL_STRATEGIES, STRATEGY_NAMES, strategies } from '../../../src/selection/index.ts';
import { standardise } from '../../../src/selection/kernel/quality.ts';
import { seeded } from '../../selection/kernel/random.ts';
import { digestOf } from '../../support/digest-of.ts';
import { CITY, CITY_INTENT } from '../../support/documents.ts';
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

async function draw(service: TestApp, request: object): Promise<DrawsAnswer> {
  const answer = await answerOf(service, request);
  if (!('draws' in answer)) throw new Error('the answer holds no draws');
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

  test('their order does not matter', async () => {
    const request = { intent, selection: { size: { keyPoints: 4 } } };
    const one = await select(testApp(), { items, ...request });
    const other = await select(testApp(), { items: items.toReversed(), ...request });
    expect(ids(other)).toEqual(ids(one));
    expect(other.objective).toBe(one.objective);
  });

  test('the gate is off unless given', async () => {
    const open = await select(testApp(), { items, intent });
    const gated = await select(testApp(), { items, intent, selection: { relevance: { gate: 0.99 } } });
    expect(open.gate).toEqual({ kept: 6, dropped: 0 });
    expect(gated.gate.dropped).toBeGreaterThan(0);
    const dropped = gated.items.filter(({ reason }) => reason === 'gate');
    expect(dropped).toHaveLength(gated.gate.dropped);
  });

  test('what is encoded once is not encoded again', async () => {
    const service = testApp();
    await select(service, { items, intent });
    const { calls } = service.parts.engine.encoder;
    const before = calls.length;
    await select(service, { items, intent, selection: { strategy: 'mmr' } });
    expect(calls.slice(before).flat()).toEqual([intent]);
  });

  test('items of one document do not corroborate each other', async () => {
    const repeated = ['a', 'b', 'c'].map((id) => ({ id, text: TEXTS[0], document: 'one' }));
    const apart = repeated.map(({ id, text }) => ({ id, text }));
    const selection = { salience: { weight: 0.1 }, size: { keyPoints: 1 } };
    const together = await select(testApp(), { items: repeated, selection });
    const several = await select(testApp(), { items: apart, selection });
    expect(together.items.map(({ salience }) => salience)).toEqual([0, 0, 0]);
    expect(several.items.map(({ salience }) => salience)).toEqual([2, 2, 2]);
  });

  test('scores may stand in for an intent; the selection follows them', async () => {
    const relevanceScores = [0, 0, 0, 1, 0, 0.5];
    const selection = { strategy: 'relevance', size: { keyPoints: 2 } };
    expect(ids(await select(testApp(), { items, relevanceScores, selection }))).toEqual(['i3', 'i5']);
  });
});

describe('embeddings', () => {
  const embeddings = [
    [3, 0, 0],
    [0.1, 0, 0],
    [0, 1, 0],
    [0, 1, 1],
  ];

  test('are compared by cosine, whatever their length', async () => {
    const answer = await select(testApp(), { embeddings, selection: { size: { keyPoints: 3 } } });
    expect(indices(answer)).toEqual([0, 2, 3]);
    expect(answer.items[1]).toMatchObject({ nearest: { index: 0, similarity: 1 }, reason: 'rank', gain: null });
    expect(answer.engine.encoder).toBeNull();
  });

  test('a query embedding decides relevance', async () => {
    const selection = { strategy: 'relevance', size: { keyPoints: 2 } };
    const answer = await select(testApp(), { embeddings, queryEmbedding: [0, 2, 2], selection });
    expect(indices(answer)).toEqual([3, 2]);
    expect(answer.items[2].relevance).toBeCloseTo(Math.SQRT1_2, 6);
  });

  test('a zero vector and vectors past the range of squares do no harm', async () => {
    const extreme = [
      [0, 0],
      [1e200, 0],
      [0, 1e-200],
    ];
    const answer = await select(testApp(), { embeddings: extreme, selection: { size: { keyPoints: 3 } } });
    expect(indices(answer).sort()).toEqual([0, 1, 2]);
  });
});

describe('embeddings and their rank', () => {
  const random = seeded(5);
  const vectors = Array.from({ length: 12 }, () => Array.from({ length: 3 }, () => random.normal()));
  const linear = { kernel: { form: 'linear' } };

  test('a linear kernel has that of the vectors: greedy stops there, and no larger set can be drawn', async () => {
    const greedy = await select(testApp(), { embeddings: vectors, selection: { ...linear, size: { keyPoints: 7 } } });
    expect(greedy).toMatchObject({ stoppedBy: 'rank', kernel: { form: 'linear', sigma: null } });
    expect(greedy.selected).toHaveLength(3);
    const selection = { ...linear, strategy: 'k-dpp', size: { keyPoints: 4 } };
    expect((await refusal({ embeddings: vectors, selection })).pointer).toBe('/selection/size');
    await select(testApp(), { embeddings: vectors, selection: { ...selection, size: { keyPoints: 3 } } });
  });

  test('a few very relevant items are drawn as often as their quality says', async () => {
    const embeddings = Array.from({ length: 20 }, (_, i) => Array.from({ length: 20 }, (_, j) => Number(i === j)));
    const relevanceScores = embeddings.map((_, i) => Math.max(0, 10 - i / 10) * Number(i < 3));
    const selection = { strategy: 'k-dpp', size: { keyPoints: 1 }, relevance: { weight: 0.9 } };
    const { draws } = await draw(testApp(), { embeddings, relevanceScores, selection, draws: 1000 });
    const counts = [0, 1, 2].map((i) => draws.filter((set) => indices(set)[0] === i).length);
    const z = standardise(Float64Array.from(relevanceScores));
    const weights = [0, 1, 2].map((i) => Math.exp(2 * 4.5 * z[i])); // q^2, q = exp(a z), a = w / (2 (1 - w))
    const total = weights.reduce((sum, weight) => sum + weight, 0);
    counts.forEach((count, i) => {
      expect(Math.abs(count / 1000 - weights[i] / total)).toBeLessThan(0.06);
    });
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

  test('marginals are the diagonal of L (L + I)^-1, and add up to the expected size', async () => {
    const l = new Matrix(kernel);
    const marginals = l
      .clone()
      .mmul(inverse(Matrix.add(l, Matrix.eye(4))))
      .diagonal();
    const answer = await select(testApp(), { kernel, selection: { strategy: 'dpp-sample' } });
    answer.items.forEach(({ marginal }, i) => {
      expect(marginal).toBeCloseTo(marginals[i], 9);
    });
    expect(answer.expectedSize).toBeCloseTo(
      marginals.reduce((sum, p) => sum + p, 0),
      9,
    );
    expect(answer).toMatchObject({ clippedMass: 0, totalVariation: 0, stoppedBy: 'draw', size: null });
  });

  test.each([
    [
      'zero diagonal',
      [
        [0, 1],
        [1, 0],
      ],
      0.5,
    ],
    [
      'more beside the diagonal than on it',
      [
        [1, 2],
        [2, 1],
      ],
      0.25,
    ],
  ])('indefinite, %s: sampled on its positive part', async (_, indefinite, clipped) => {
    const values = new EigenvalueDecomposition(new Matrix(indefinite)).realEigenvalues.filter((value) => value > 0);
    const answer = await select(testApp(), { kernel: indefinite, selection: { strategy: 'dpp-sample' } });
    expect(answer.clippedMass).toBeCloseTo(clipped, 9);
    expect(answer.expectedSize).toBeCloseTo(
      values.reduce((sum, value) => sum + value / (1 + value), 0),
      9,
    );
  });

  test('one huge entry does not hide the rest', async () => {
    const values = [1e20, 1, 1, 1];
    const graded = values.map((value, i) => values.map((_, j) => (i === j ? value : 0)));
    const answer = await select(testApp(), { kernel: graded, selection: { strategy: 'dpp-sample' } });
    expect(answer.expectedSize).toBeCloseTo(2.5, 9);
    const pairs = { kernel: graded, selection: { strategy: 'k-dpp', size: { keyPoints: 3 } } };
    expect(indices(await select(testApp(), pairs))).toContain(0);
  });

  test('is compared by nothing, so that the published arm takes it; embeddings have no tokens for it', async () => {
    await select(testApp(), { kernel, selection: { preset: 'published' } });
    expect((await refusal({ embeddings: kernel, selection: { preset: 'published' } })).pointer).toBe(
      '/selection/preset',
    );
  });

  test('a search that may spend little gives a gap that holds', async () => {
    const random = seeded(3);
    const points = Array.from({ length: 14 }, () => [random.next(), random.next()]);
    const near = points.map(([x, y]) => points.map(([u, v]) => Math.exp(-4 * ((x - u) ** 2 + (y - v) ** 2))));
    const size = { keyPoints: 5 };
    const strategy = 'dpp-map-exact';
    const best = await select(testApp(), { kernel: near, selection: { strategy, size } });
    expect(best.proven).toBe(true);
    let before = Number.POSITIVE_INFINITY;
    for (const nodes of [1, 5, 20]) {
      const cut = await select(testApp(), { kernel: near, selection: { strategy, size, exact: { nodes } } });
      expect(Number(cut.objective) + Number(cut.gap)).toBeGreaterThanOrEqual(Number(best.objective) - 1e-9);
      expect(Number(cut.objective) + Number(cut.gap)).toBeLessThanOrEqual(before + 1e-9);
      before = Number(cut.objective) + Number(cut.gap);
    }
  });

  test.each(STRATEGY_NAMES.filter((name) => !MODEL_STRATEGIES.includes(name)))(
    '%s takes kernels of one item, of zeros, of duplicates',
    async (strategy) => {
      const size = strategies[strategy].sizes.includes('auto') ? { size: 'auto' } : {};
      for (const given of [
        [[1]],
        [[0]],
        [
          [1, 1],
          [1, 1],
        ],
        [
          [0, 0],
          [0, 2],
        ],
      ]) {
        const answer = await select(testApp(), { kernel: given, selection: { strategy, ...size } });
        expect(answer.items).toHaveLength(given.length);
        if (strategy.startsWith('dpp-map') || strategy === 'facility-location') {
          expect(answer.selected.length).toBeLessThanOrEqual(1); // never both of two duplicates, never a zero
        }
      }
    },
  );

  test.each([
    ['not square', [[1, 0]], '/kernel/0'],
    ['a row that is none', [[1, 0], 'x'], '/kernel/1'],
    [
      'null',
      [
        [1, null],
        [0, 1],
      ],
      '/kernel/0/1',
    ],
    [
      'negative on the diagonal',
      [
        [1, 0],
        [0, -1e-9],
      ],
      '/kernel/1/1',
    ],
    [
      'not symmetric',
      [
        [1, 0.5],
        [0.4999, 1],
      ],
      '/kernel/1/0',
    ],
    ['no rows', [], '/kernel'],
    ['not an array', {}, '/kernel'],
  ])('refused: %s', async (_, given, pointer) => {
    expect((await refusal({ kernel: given })).pointer).toBe(pointer);
  });

  test('refused: an infinity that JSON lets through, and NaN, which it does not', async () => {
    expect((await refusal('{"kernel":[[1,1e999],[1e999,1]]}')).pointer).toBe('/kernel/0/1');
    await refusal('{"kernel":[[NaN]]}', 400);
  });

  test('symmetric up to rounding is symmetric', async () => {
    const rounded = [
      [1e8, 0.5],
      [0.5000004, 1e-8],
    ];
    await select(testApp(), { kernel: rounded });
  });
});

describe('draws', () => {
  test('many sets from one decomposition, the same for the same seed', async () => {
    const request = { kernel, selection: { strategy: 'k-dpp', size: { keyPoints: 2 }, seed: 7 }, draws: 500 };
    const answer = await draw(testApp(), request);
    expect(answer.draws).toHaveLength(500);
    expect(await draw(testApp(), request)).toEqual(answer);
    const pairs = answer.draws.map((set) => indices(set).sort().join());
    expect(new Set(pairs).size).toBe(6);
    expect(answer.items).toHaveLength(4);
  });

  test('of random size', async () => {
    const answer = await draw(testApp(), { kernel, selection: { strategy: 'dpp-sample' }, draws: 300 });
    const sizes = answer.draws.map(({ selected }) => selected.length);
    const mean = sizes.reduce((sum, size) => sum + size, 0) / 300;
    expect(Math.abs(mean - Number(answer.expectedSize))).toBeLessThan(0.25);
  });

  test('refused of strategies that do not sample', async () => {
    expect((await refusal({ kernel, draws: 2 })).pointer).toBe('/draws');
    expect((await refusal({ kernel, draws: 0 })).pointer).toBe('/draws');
  });
});

describe('a stored digest', () => {
  test('is selected from anew, with what it found relevant or with another intent', async () => {
    const service = testApp();
    const digest = await digestOf(service, { documents: CITY, intent: CITY_INTENT });
    const extracted = service.parts.engine.extracted.length;
    const again = await select(service, { digest: digest.id, selection: { strategy: 'mmr', size: { keyPoints: 4 } } });
    expect(again.items.map(({ id }) => id)).toEqual(digest.keyPoints.map(({ id }) => id));
    expect(again.items.map(({ relevance }) => relevance)).toEqual(digest.keyPoints.map(({ relevance }) => relevance));
    const other = await select(service, { digest: digest.id, intent: 'trams' });
    expect(other.items[0].relevance).not.toBe(again.items[0].relevance);
    expect(service.parts.engine.extracted).toHaveLength(extracted);
  });

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
