import { describe, expect, test } from 'vitest';
import { portable } from '../../../src/models/index.ts';
import { RankError } from '../../../src/selection/errors.ts';
import {
  cosineSimilarity,
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
import { BARE } from './problems.ts';

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
  for (const [j, nearest] of selection.nearest.item.entries()) {
    const others = items.filter((i) => i !== j);
    expect(nearest === -1 ? others.length === 0 : others.includes(nearest)).toBe(true);
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

const KERNELS: [string, number][] = [
  ['2', 1],
  ['0', 0],
  ['0 0; 0 0', 0],
  ['1 0 0.5; 0 0 0; 0.5 0 1', 2],
  ['0 1; 1 0', 1],
  ['1 2; 2 1', 1],
  ['1 1 1; 1 1 1; 1 1 1', 1],
  ['7.3 7.3 7.3; 7.3 7.3 7.3; 7.3 7.3 7.3', 1],
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

  test.each(KERNELS)('the kernel %s', async (text, rank) => {
    const l = text.split(';').map((row) => row.trim().split(' ').map(Number));
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
