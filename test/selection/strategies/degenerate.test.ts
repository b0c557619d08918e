import { describe, expect, test } from 'vitest';
import { portable } from '../../../src/models/index.ts';
import { RankError } from '../../../src/selection/errors.ts';
import {
  cosineSimilarity,
  drawMany,
  type Selection,
  type SelectionInput,
  type SelectionOptions,
  type Size,
  STRATEGY_NAMES,
  type StrategyName,
  select,
  strategies,
} from '../../../src/selection/index.ts';
import { byRelevance } from '../../../src/selection/strategies/baselines.ts';
import { givenSimilarity, randomSimilarities, seeded, unitRows } from '../kernel/random.ts';
import { inputOf, kernelInput } from './inputs.ts';
import { BARE, symmetric } from './problems.ts';

const itemsOf = ({ picks }: Selection) => picks.map(({ item }) => item);
const run = (input: SelectionInput, options: Partial<SelectionOptions>) =>
  select(input, { ...BARE, ...options }, portable);

const SIZES: readonly (readonly [string, Size | null])[] = [
  ['keyPoints', { keyPoints: 2 }],
  ['words', { words: 12 }],
  ['auto', 'auto'],
  ['none', null],
];

/** Every strategy with every size it takes. */
const sized = STRATEGY_NAMES.flatMap((strategy) =>
  SIZES.filter(([kind]) => strategies[strategy].sizes.some((size) => size === kind)).map(
    ([kind, size]) => [strategy, kind, size] as const,
  ),
);

/** What holds of every selection, however odd its input. */
function expectSound(selection: Selection, input: SelectionInput, strategy: StrategyName): void {
  const { n } = input.similarity;
  const items = itemsOf(selection);
  expect(new Set(items).size).toBe(items.length);
  expect(items.every((i) => Number.isInteger(i) && i >= 0 && i < n)).toBe(true);
  expect(selection.gains).toHaveLength(n);
  expect([...selection.gains, selection.objective, selection.logDeterminant].some(Number.isNaN)).toBe(false);
  expect([...(selection.marginals ?? [])].every((p) => p > -1e-12 && p < 1 + 1e-12)).toBe(true);
  for (const { item, gain } of selection.picks) {
    expect(gain).toBe(strategies[strategy].isSequential ? selection.gains[item] : null);
  }
  if (!strategies[strategy].isSequential) {
    expect(items).toEqual(byRelevance(input.relevance).filter((i) => items.includes(i)));
  }
  for (const [j, position] of selection.nearest.position.entries()) {
    const others = items.filter((i) => i !== j);
    expect(position === -1 ? others.length === 0 : items[position] !== j && position < items.length).toBe(true);
  }
}

/** Strategies that choose no item that depends on the others. */
const INDEPENDENT: readonly StrategyName[] = [
  'dpp-map',
  'dpp-map-exact',
  'facility-location',
  'dpp-sample',
  'k-dpp',
  'relevance',
];

const KERNELS: [string, number[][], number][] = [
  ['of one item', [[2]], 1],
  ['of one zero', [[0]], 0],
  [
    'of zeros',
    [
      [0, 0],
      [0, 0],
    ],
    0,
  ],
  [
    'with a zero row',
    [
      [1, 0, 0.5],
      [0, 0, 0],
      [0.5, 0, 1],
    ],
    2,
  ],
  [
    'of 0 1; 1 0',
    [
      [0, 1],
      [1, 0],
    ],
    1,
  ],
  [
    'of 1 2; 2 1',
    [
      [1, 2],
      [2, 1],
    ],
    1,
  ],
  ['of identical items', symmetric(5, () => 1), 1],
  ['of identical items that are anything but unit', symmetric(5, () => 7.3), 1],
];

describe.each(sized)('%s, %s', (strategy, kind, size) => {
  test('nothing to choose from', async () => {
    const input = kernelInput([]);
    if (strategy === 'k-dpp' && kind === 'keyPoints') {
      await expect(run(input, { strategy, size })).rejects.toBeInstanceOf(RankError);
      return;
    }
    const selection = await run(input, { strategy, size });
    expectSound(selection, input, strategy);
    expect([selection.picks, selection.objective]).toEqual([[], 0]);
  });

  test.each(KERNELS)('a given kernel %s', async (_, l, rank) => {
    const n = l.length;
    const input = kernelInput(l, { relevance: Float64Array.from({ length: n }, (_, i) => (i * 3) % n) });
    if (strategy === 'k-dpp' && kind === 'keyPoints' && rank < 2) {
      await expect(run(input, { strategy, size })).rejects.toBeInstanceOf(RankError);
      return;
    }
    const selection = await run(input, { strategy, size });
    expectSound(selection, input, strategy);
    const most = kind === 'none' ? n : Math.min(2, n);
    expect(selection.picks.length).toBeLessThanOrEqual(INDEPENDENT.includes(strategy) ? Math.min(most, rank) : most);
    if (INDEPENDENT.includes(strategy)) expect(Number.isFinite(selection.logDeterminant)).toBe(true);
    else expect(selection.picks.length).toBeGreaterThan(0);
  });

  test.each([0, 1, 2, 3, 21])('%i points with every option on', async (n) => {
    const relevance = Float64Array.from({ length: n }, (_, i) => Math.sin(i));
    const similarity = givenSimilarity(randomSimilarities(seeded(n), n), n);
    const input = inputOf(similarity, {
      relevance,
      cosine: similarity,
      known: relevance,
      auto: { points: null, words: 12 },
    });
    const options = {
      strategy,
      size,
      kernel: { ...BARE.kernel, sigma: 'median' },
      relevance: { form: 'exponential', weight: 0.5 },
      salience: { weight: 0.5, threshold: 0.15 },
      coverage: { weight: 20, threshold: { percentile: 80 } },
      sources: { weight: 10 },
      support: { ...BARE.support, threshold: 0.15 },
      background: { weight: 1 },
      refine: true,
    } as const;
    if (strategy === 'k-dpp' && kind === 'keyPoints' && n < 2) {
      await expect(run(input, options)).rejects.toBeInstanceOf(RankError);
      return;
    }
    const selection = await run(input, options);
    expectSound(selection, input, strategy);
    if (strategy !== 'dpp-sample') expect(selection.picks.length > 0).toBe(n > 0);
    if (kind === 'keyPoints') expect(selection.picks).toHaveLength(Math.min(2, n));
  });
});

describe('kernels that are not positive semi-definite', () => {
  const swap = [
    [0, 1],
    [1, 0],
  ];
  const steep = [
    [1, 2],
    [2, 1],
  ];
  const pick = async (l: number[][], strategy: StrategyName, size: Size | null = { keyPoints: 2 }) => {
    const { picks, stoppedBy, clippedMass } = await run(kernelInput(l), { strategy, size });
    return { items: picks.map(({ item }) => item), stoppedBy, clippedMass };
  };

  test('greedy, coverage and relevance see the kernel as it is: no item of no volume, no second one beside the first', async () => {
    for (const strategy of ['dpp-map', 'facility-location', 'relevance'] as const) {
      expect(await pick(swap, strategy)).toEqual({ items: [], stoppedBy: 'rank', clippedMass: null });
      expect(await pick(steep, strategy)).toEqual({ items: [0], stoppedBy: 'rank', clippedMass: null });
    }
  });

  test('the exact search sees its positive semi-definite part, which has one dimension, and says what was clipped', async () => {
    const clipped = (mass: number) => ({ items: [0], stoppedBy: 'rank', clippedMass: expect.closeTo(mass, 12) });
    expect(await pick(swap, 'dpp-map-exact')).toEqual(clipped(0.5));
    expect(await pick(steep, 'dpp-map-exact')).toEqual(clipped(0.25));
  });

  test('so do draws: at most one item, each as often', async () => {
    for (const [l, none] of [
      [swap, 1 / 2],
      [steep, 1 / 4],
    ] as const) {
      const input = kernelInput(l);
      const counts = [0, 0, 0];
      const { draws } = await drawMany(input, { ...BARE, strategy: 'dpp-sample', size: null }, portable, 4000);
      for (const set of draws) {
        expect(set.length).toBeLessThanOrEqual(1);
        counts[set.length === 0 ? 2 : set[0]]++;
      }
      for (const [cell, share] of [(1 - none) / 2, (1 - none) / 2, none].entries()) {
        expect(Math.abs(counts[cell] / 4000 - share)).toBeLessThan(0.035);
      }
      const one = await drawMany(input, { ...BARE, strategy: 'k-dpp', size: { keyPoints: 1 } }, portable, 4000);
      const first = one.draws.filter(([item]) => item === 0).length;
      expect(Math.abs(first / 4000 - 1 / 2)).toBeLessThan(0.035);
    }
  });
});

describe('two identical vectors are never both chosen by a MAP strategy', () => {
  const kernels: SelectionOptions['kernel'][] = (['bertscore', 'cosine'] as const).flatMap((similarity) =>
    [
      { form: 'gaussian', sigma: 0.5 } as const,
      { form: 'gaussian', sigma: 'median' } as const,
      { form: 'linear', sigma: 1 } as const,
    ].map((form) => ({ similarity, idf: 2, ...form })),
  );
  const cases = (['dpp-map', 'dpp-map-exact', 'facility-location'] as const).flatMap((strategy) =>
    [0, 3].map((weight) => [strategy, weight] as const),
  );

  test.each(cases)('%s, coverage weighing %d', async (strategy, weight) => {
    const [n, d] = [12, 8];
    for (let seed = 0; seed < 12; seed++) {
      const random = seeded(seed);
      const vectors = unitRows(random, n, d);
      const of = Array.from({ length: n }, (_, i) => (random.below(2) === 0 ? random.below(i + 1) : i));
      for (let i = 0; i < n; i++) vectors.copyWithin(i * d, of[i] * d, (of[i] + 1) * d);
      const key = (i: number) => vectors.subarray(i * d, (i + 1) * d).join();
      const different = new Set(of.map((_, i) => key(i))).size;
      const input = inputOf(cosineSimilarity(vectors, n, d, portable), {
        factors: Float64Array.from({ length: n }, () => Math.exp(random.normal())),
      });
      for (const kernel of kernels) {
        for (const keyPoints of strategy === 'dpp-map-exact' ? [2, 3] : [3, n]) {
          const options = { strategy, kernel, size: { keyPoints }, coverage: { weight, threshold: 0 } };
          const items = itemsOf(await run(input, options));
          expect(new Set(items.map(key)).size, `seed ${seed}, ${JSON.stringify(kernel)}`).toBe(items.length);
          expect(items.length).toBeLessThanOrEqual(Math.min(keyPoints, different));
          expect(items.length).toBeGreaterThan(0);
        }
      }
    }
  });
});

describe('qualities from 1e-150 to 1e150', () => {
  test('the MAP of a positive semi-definite kernel, greedy and exact, is the set of the largest qualities', async () => {
    const n = 16;
    const random = seeded(2);
    const place = random.permutation(n);
    const factors = Float64Array.from(place, (p) => 10 ** (150 - 20 * p));
    const similarity = cosineSimilarity(unitRows(random, n, 40), n, 40, portable);
    const kernel = { ...BARE.kernel, similarity: 'cosine', sigma: 1 } as const;
    for (const strategy of ['dpp-map', 'dpp-map-exact'] as const) {
      for (const keyPoints of [1, 5, n]) {
        const options = { strategy, kernel, size: { keyPoints } };
        const found = await run(inputOf(similarity, { factors }), options);
        expect(
          itemsOf(found)
            .map((i) => place[i])
            .sort((a, b) => a - b),
        ).toEqual(Array.from({ length: keyPoints }, (_, p) => p));
        expect(Number.isFinite(found.objective)).toBe(true);
      }
    }
  });
});
