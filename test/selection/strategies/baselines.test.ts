import { describe, expect, test } from 'vitest';
import { seededRandom } from '../../../src/selection/index.ts';
import { byRelevance, random as randomStrategy, relevance } from '../../../src/selection/strategies/baselines.ts';
import { mmr } from '../../../src/selection/strategies/mmr.ts';
import { pickOneByOne } from '../../../src/selection/strategies/one-by-one.ts';
import type { StrategyInput } from '../../../src/selection/strategies/strategy.ts';
import { randomSimilarities, seeded } from '../kernel/random.ts';
import { cosines, greedily, plain, repeated, strategyInput, symmetric, volumeGains } from './problems.ts';

describe('mmr', () => {
  test.each([0, 0.3, 0.5, 1])('with lambda %d what the formula says, from scratch', async (lambda) => {
    for (let seed = 0; seed < 100; seed++) {
      const random = seeded(seed);
      const n = 1 + random.below(25);
      // Half of the time on coarse scales, where scores tie.
      const isCoarse = seed % 2 === 0;
      const coarse = symmetric(n, (i, j) => (i === j ? 1 : random.below(5) / 4));
      const s = isCoarse ? Float32Array.from(coarse.flat()) : randomSimilarities(random, n);
      const r = Float64Array.from({ length: n }, () => (isCoarse ? random.below(4) / 2 : 2 * random.next() - 1));
      const scores = (chosen: readonly number[]) =>
        Float64Array.from(r, (value, i) => {
          if (chosen.includes(i)) return Number.NEGATIVE_INFINITY;
          const repeated = chosen.length === 0 ? 0 : Math.max(...chosen.map((j) => s[i * n + j]));
          return lambda * value - (1 - lambda) * repeated;
        });
      const { items, stoppedBy } = await mmr.select(
        strategyInput(plain(symmetric(n, () => 0)), {
          similarityRow: async (i) => s.subarray(i * n, (i + 1) * n),
          relevance: r,
        }),
        { lambda },
      );
      expect(items, `seed ${seed}, n ${n}`).toEqual(greedily(scores, n).items);
      expect([items.length, stoppedBy]).toEqual([n, 'exhausted']);
    }
  });
});

describe('relevance', () => {
  test('the most relevant of those that depend on none before them, determinants from scratch', async () => {
    for (let seed = 0; seed < 60; seed++) {
      const random = seeded(seed);
      const n = 1 + random.below(20);
      const given = plain(seed % 2 === 0 ? cosines(random, n) : repeated(random, n));
      const r = Float64Array.from({ length: n }, () => random.below(6));
      const expected: number[] = [];
      for (const item of byRelevance(r)) {
        if (volumeGains(given, expected)[item] > Number.NEGATIVE_INFINITY) expected.push(item);
      }
      const { items, stoppedBy } = await relevance.select(strategyInput(given, { relevance: r }));
      expect(items, `seed ${seed}`).toEqual(expected);
      expect(stoppedBy).toBe(items.length === n ? 'exhausted' : 'rank');
    }
  });
});

describe('random', () => {
  const draw = async (n: number, seed: number, overrides: Partial<StrategyInput> = {}) =>
    (
      await randomStrategy.select(
        strategyInput(plain(symmetric(n, (i, j) => (i === j ? 1 : 0))), { random: seededRandom(seed), ...overrides }),
      )
    ).items;

  const DRAWS = 6000;
  const chiSquare = (counts: ReadonlyMap<unknown, number>, cells: number) =>
    [...counts.values()].reduce((sum, count) => sum + (count - DRAWS / cells) ** 2 / (DRAWS / cells), 0);
  const count = <T>(counts: Map<T, number>, key: T) => counts.set(key, (counts.get(key) ?? 0) + 1);
  const shared = seededRandom(1);

  test.each([
    ['seeds', (seed: number) => ({ random: seededRandom(seed) })],
    ['draws of one seed', () => ({ random: shared })],
  ])('over many %s every item comes first alike, and every order', async (_, randomOf) => {
    const first = new Map<number, number>();
    const orders = new Map<string, number>();
    for (let seed = 0; seed < DRAWS; seed++) {
      const [item] = await draw(7, seed, { limit: 1, ...randomOf(seed) });
      count(first, item);
      count(orders, `${await draw(4, seed, randomOf(seed))}`);
    }
    expect([first.size, orders.size]).toEqual([7, 24]);
    // 99.9% of truly uniform draws stay under these, with 6 and 23 degrees of freedom.
    expect(chiSquare(first, 7)).toBeLessThan(22.46);
    expect(chiSquare(orders, 24)).toBeLessThan(49.73);
  });
});

test('picking one by one ends once, also after an error', async () => {
  let ends = 0;
  const next = () => {
    if (ends > 0) throw new Error('no more');
    return 0;
  };
  const input = { items: [0], fits: () => true, limit: 1 };
  await pickOneByOne(input, { next, end: () => ends++ });
  expect(ends).toBe(1);
  await expect(pickOneByOne(input, { next, end: () => ends++ })).rejects.toThrow('no more');
  expect(ends).toBe(2);
});
