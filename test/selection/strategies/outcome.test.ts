import { describe, expect, test } from 'vitest';
import { portable } from '../../../src/models/index.ts';
import {
  drawMany,
  type Selection,
  type SelectionInput,
  type SelectionOptions,
  type Size,
  STRATEGY_NAMES,
  type StoppedBy,
  type StrategyName,
  select,
  strategies,
} from '../../../src/selection/index.ts';
import { det } from '../dpp/kernels.ts';
import { randomSimilarities, seeded } from '../kernel/random.ts';
import { inputOf, kernelInput } from './inputs.ts';
import { BARE, cosines, symmetric } from './problems.ts';

const run = (input: SelectionInput, options: Partial<SelectionOptions>) =>
  select(input, { ...BARE, ...options }, portable);
const itemsOf = ({ picks }: Selection) => picks.map(({ item }) => item);

/** A size that the strategy takes. */
const someSize = (strategy: StrategyName, keyPoints: number): Size | null =>
  strategies[strategy].sizes.includes('keyPoints') ? { keyPoints } : null;

const N = 14;
/** Positive definite, with entries of any size around 1. */
const L = (() => {
  const random = seeded(1);
  const k = cosines(random, N);
  const q = k.map(() => Math.exp(random.normal()));
  return symmetric(N, (i, j) => k[i][j] * q[i] * q[j]);
})();
/** Half of them tie. */
const RELEVANCE = Float64Array.from({ length: N }, (_, i) => ((i * 5) % N) >> 1);

describe.each(STRATEGY_NAMES)('%s', (strategy) => {
  const size = someSize(strategy, 5);
  test('log det and objective are those of the items, from scratch', async () => {
    const found = await run(kernelInput(L), { strategy, size });
    expect(found.logDeterminant).toBeCloseTo(Math.log(det(L, itemsOf(found))), 7);
    expect(found.objective).toBe(found.logDeterminant);
  });

  test('what is not picked has the gain it would have had after the last pick', async () => {
    const found = await run(kernelInput(L), { strategy, size });
    const items = itemsOf(found);
    for (let i = 0; i < N; i++) {
      if (items.includes(i)) continue;
      const gain = Math.log(det(L, [...items, i]) / det(L, items));
      expect(found.gains[i]).toBeCloseTo(gain, 6);
    }
  });

  test('a set comes by falling relevance, then by index', async () => {
    const input = kernelInput(L, { relevance: RELEVANCE });
    const items = itemsOf(await run(input, { strategy, size, seed: 12_345_678 }));
    expect(items.length).toBeGreaterThan(2);
    const ranked = [...items].sort((a, b) => RELEVANCE[b] - RELEVANCE[a] || a - b);
    if (!strategies[strategy].isSequential || strategy === 'relevance') expect(items).toEqual(ranked);
    if (!strategies[strategy].isSampled) return;
    const { draws } = await drawMany(input, { ...BARE, strategy, size }, portable, 20);
    for (const draw of draws) {
      if (!strategies[strategy].isSequential) {
        expect(draw).toEqual([...draw].sort((a, b) => RELEVANCE[b] - RELEVANCE[a] || a - b));
      }
    }
  });

  test('nearest: the picked item that each is most similar to, other than itself', async () => {
    if (strategies[strategy].needs?.coverage) return; // there it is the one that each agrees with most
    const s = randomSimilarities(seeded(3), N);
    const similarity = {
      n: N,
      rows: async (rows: readonly number[]) => rowsOf(s, rows),
    };
    const found = await run(inputOf(similarity), { strategy, size });
    const items = itemsOf(found);
    for (let j = 0; j < N; j++) {
      const most = Math.max(...items.filter((i) => i !== j).map((i) => s[i * N + j]));
      if (items.length > (items.includes(j) ? 1 : 0)) {
        expect(found.nearest.similarity[j]).toBe(most);
        expect(s[found.nearest.item[j] * N + j]).toBe(most);
      } else expect(found.nearest.item[j]).toBe(-1);
    }
    items.forEach((i, a) => {
      items.forEach((j, b) => {
        expect(found.pickedSimilarity[a * items.length + b]).toBe(s[i * N + j]);
      });
    });
  });
});

function rowsOf(s: Float32Array, rows: readonly number[]): Float32Array {
  return Float32Array.from(rows.flatMap((i) => [...s.subarray(i * N, (i + 1) * N)]));
}

describe('what ended a selection', () => {
  const identity = (n: number) => symmetric(n, (i, j) => (i === j ? 1 : 0));
  const twins = symmetric(4, (i, j) => (i % 2 === j % 2 ? 1 : 0));
  const independent = ['dpp-map', 'dpp-map-exact', 'facility-location', 'relevance'] as const;
  const wordy = ['dpp-map', 'mmr', 'facility-location', 'relevance', 'random'] as const;
  type Case = [readonly StrategyName[], Size | null, number[][], StoppedBy, number];
  const cases: Case[] = [
    [[...wordy, 'dpp-map-exact', 'k-dpp'], { keyPoints: 3 }, identity(4), 'size', 3],
    [[...wordy, 'dpp-map-exact'], { keyPoints: 9 }, identity(4), 'exhausted', 4],
    [wordy, { words: 14 }, identity(4), 'words', 2],
    [wordy, { words: 15 }, identity(4), 'words', 3],
    [wordy, { words: 1 }, identity(4), 'words', 1],
    [wordy, { words: 20 }, identity(4), 'exhausted', 4],
    [[...wordy, 'dpp-map-exact', 'k-dpp'], 'auto', identity(4), 'size', 2],
    [independent, { keyPoints: 3 }, twins, 'rank', 2],
    [['mmr', 'random'], { keyPoints: 3 }, twins, 'size', 3],
    [['k-dpp'], 'auto', symmetric(3, () => 0), 'rank', 0],
    [['dpp-sample'], null, symmetric(4, (i, j) => (i === j ? 1e30 : 0)), 'draw', 4],
    [['dpp-sample'], null, symmetric(4, () => 0), 'draw', 0],
    [['all'], null, twins, 'exhausted', 4],
  ];
  test.each(cases)('%s of size %j', async (names, size, l, stoppedBy, count) => {
    for (const strategy of names) {
      const found = await run(kernelInput(l), { strategy, size });
      expect([strategy, found.stoppedBy, found.picks.length]).toEqual([strategy, stoppedBy, count]);
    }
  });
});
