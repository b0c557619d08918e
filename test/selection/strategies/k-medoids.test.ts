import { describe, expect, test } from 'vitest';
import { kMedoids } from '../../../src/selection/strategies/k-medoids.ts';
import type { StrategyInput } from '../../../src/selection/strategies/strategy.ts';
import { fullReference, landmarkReference, randomSimilarities, seeded } from '../kernel/random.ts';
import { plain, strategyInput, subsets, symmetric } from './problems.ts';

interface Table {
  readonly n: number;
  /** Row-major n x n. */
  readonly s: Float32Array;
  /** Over whom the sum runs. */
  readonly indices: readonly number[];
}

function table(seed: number, n: number, indices = Array.from({ length: n }, (_, i) => i)): Table {
  return { n, s: randomSimilarities(seeded(seed), n), indices };
}

const run = ({ n, s, indices }: Table, limit: number, overrides: Partial<StrategyInput> = {}) =>
  kMedoids.select(
    strategyInput(plain(symmetric(n, () => 0)), {
      reference: () => (indices.length === n ? fullReference(s, n) : landmarkReference(s, n, indices)),
      limit,
      ...overrides,
    }),
  );

/** Sum of 1 - S to the nearest medoid, from scratch. */
function costOf({ n, s, indices }: Table, medoids: readonly number[]): number {
  return indices.reduce((sum, r) => sum + Math.min(2, ...medoids.map((i) => 1 - s[r * n + i])), 0);
}

/** The greedy start: one medoid after the other, each the one that leaves the smallest cost. */
function greedyStart(given: Table, k: number): number[] {
  const medoids: number[] = [];
  while (medoids.length < k) {
    let best = -1;
    for (let i = 0; i < given.n; i++) {
      if (medoids.includes(i)) continue;
      if (best < 0 || costOf(given, [...medoids, i]) < costOf(given, [...medoids, best]) - 1e-12) best = i;
    }
    medoids.push(best);
  }
  return medoids;
}

function expectLocalOptimum(given: Table, medoids: readonly number[], message: string): void {
  const cost = costOf(given, medoids);
  for (let place = 0; place < medoids.length; place++) {
    for (let i = 0; i < given.n; i++) {
      if (medoids.includes(i)) continue;
      expect(costOf(given, medoids.with(place, i)), message).toBeGreaterThanOrEqual(cost - 1e-8);
    }
  }
}

test('never costs more than the greedy start, and no single exchange lowers the cost', async () => {
  let bettered = 0;
  for (let seed = 0; seed < 150; seed++) {
    const n = 1 + seeded(seed + 1).below(30);
    const given = table(seed, n);
    const k = 1 + seeded(seed + 2).below(Math.min(n, 8));
    const { items, stoppedBy } = await run(given, k);
    expect([new Set(items).size, stoppedBy]).toEqual([k, k === n ? 'exhausted' : 'size']);
    const start = costOf(given, greedyStart(given, k));
    expect(costOf(given, items), `seed ${seed}`).toBeLessThanOrEqual(start + 1e-8);
    if (costOf(given, items) < start - 1e-6) bettered++;
    expectLocalOptimum(given, items, `seed ${seed}, n ${n}, k ${k}`);
  }
  expect(bettered).toBeGreaterThan(10);
});

test('over landmarks the sum runs over them alone', async () => {
  for (let seed = 0; seed < 60; seed++) {
    const n = 25;
    const given = table(
      seed,
      n,
      seeded(seed)
        .permutation(n)
        .slice(0, 9)
        .sort((a, b) => a - b),
    );
    const { items } = await run(given, 4);
    expect(costOf(given, items)).toBeLessThanOrEqual(costOf(given, greedyStart(given, 4)) + 1e-8);
    expectLocalOptimum(given, items, `seed ${seed}`);
  }
});

test('up to 9 items and 3 medoids: nearly always the best set there is', async () => {
  let best = 0;
  const tables = 300;
  for (let seed = 0; seed < tables; seed++) {
    const n = 3 + (seed % 7);
    const k = 1 + (seed % 3);
    const given = table(seed, n);
    const { items } = await run(given, k);
    const least = Math.min(...[...subsets(n, k)].map((set) => costOf(given, set)));
    const cost = costOf(given, items);
    expect(cost).toBeGreaterThanOrEqual(least - 1e-8);
    if (cost <= least + 1e-8) best++;
    if (k === 1) expect(cost).toBeCloseTo(least, 8);
    expectLocalOptimum(given, items, `seed ${seed}`);
  }
  expect(best / tables).toBeGreaterThan(0.9);
});

describe('words', () => {
  test('the medoids keep within them, the first one aside, and are a local optimum of their number', async () => {
    let stopped = 0;
    for (let seed = 0; seed < 100; seed++) {
      const random = seeded(seed);
      const n = 2 + random.below(15);
      const given = table(seed, n);
      const words = Array.from({ length: n }, () => 1 + random.below(20));
      const budget = 1 + random.below(60);
      const total = (items: readonly number[]) => items.reduce((sum, i) => sum + words[i], 0);
      const fits = (item: number, picked: readonly number[]) =>
        picked.length === 0 || total([...picked, item]) <= budget;
      const { items, stoppedBy } = await run(given, Number.POSITIVE_INFINITY, { fits });
      expect(items.length).toBeGreaterThan(0);
      if (items.length > 1) expect(total(items), `seed ${seed}`).toBeLessThanOrEqual(budget);
      expectLocalOptimum(given, items, `seed ${seed}`);
      expect(stoppedBy).toBe(items.length === n ? 'exhausted' : 'words');
      if (stoppedBy === 'words') stopped++;
    }
    expect(stopped).toBeGreaterThan(50);
  });

  test('an exchange that needs more words than there are costs a medoid', async () => {
    // 0 comes first, 1 second; then 0 goes for 2, which is nearer to the others but longer.
    let shrunk = 0;
    for (let seed = 0; seed < 200; seed++) {
      const n = 10;
      const given = table(seed, n);
      const start = greedyStart(given, 3);
      const { items: swapped } = await run(given, 3);
      const newcomers = swapped.filter((i) => !start.includes(i));
      if (newcomers.length === 0) continue;
      const words = Array.from({ length: n }, (_, i) => (newcomers.includes(i) ? 10 : 1));
      const total = (items: readonly number[]) => items.reduce((sum, i) => sum + words[i], 0);
      const fits = (item: number, picked: readonly number[]) => picked.length === 0 || total([...picked, item]) <= 3;
      const { items, stoppedBy } = await run(given, 3, { fits });
      expect(items.length === 1 || total(items) <= 3).toBe(true);
      expectLocalOptimum(given, items, `seed ${seed}`);
      if (items.length < 3) {
        expect(stoppedBy).toBe('words');
        shrunk++;
      }
    }
    expect(shrunk).toBeGreaterThan(10);
  });
});

test('as many as there are, none, and more than there are', async () => {
  const given = table(1, 5);
  expect(await run(given, 0)).toEqual({ items: [], stoppedBy: 'size' });
  const every = await run(given, 9);
  expect([[...every.items].sort(), every.stoppedBy]).toEqual([[0, 1, 2, 3, 4], 'exhausted']);
  expect(await run(table(1, 0), 3)).toEqual({ items: [], stoppedBy: 'exhausted' });
});

test('identical items: the first of them, and every other one no more than once', async () => {
  const n = 6;
  const given = { ...table(1, n), s: new Float32Array(n * n).fill(1) };
  expect((await run(given, 1)).items).toEqual([0]);
  expect(new Set((await run(given, 4)).items).size).toBe(4);
});
