import { describe, expect, test } from 'vitest';
import { TooManyItemsError } from '../../../src/selection/errors.ts';
import type { Kernel } from '../../../src/selection/kernel/kernel.ts';
import { greedyMap } from '../../../src/selection/strategies/dpp-map.ts';
import { dppMapExact } from '../../../src/selection/strategies/dpp-map-exact.ts';
import type { StrategyInput } from '../../../src/selection/strategies/strategy.ts';
import { clipped, eigenvalues } from '../dpp/kernels.ts';
import { type Random, seeded } from '../kernel/random.ts';
import {
  cosines,
  covering,
  gaussians,
  indefinite,
  indicesOf,
  objectiveOf,
  type Problem,
  plain,
  repeated,
  scoreOf,
  strategyInput,
  subsets,
} from './problems.ts';

const bounded = (nodes: number, milliseconds: number | null = null) => ({ nodes, milliseconds });
const AMPLE = bounded(1_000_000);

const run = async (given: Problem, limit: number, overrides: Partial<StrategyInput> = {}, budget = AMPLE) => {
  const result = await dppMapExact.select(strategyInput(given, { limit, ...overrides }), budget);
  if (result.proof === undefined) throw new Error('an exact search says what it proved');
  return { ...result, ...result.proof };
};

function problem(random: Random, k: number[][], mu: number, grain = 0): Problem {
  const n = k.length;
  // Half of the time all the same, so that greedy has little to go by.
  const spread = random.below(2);
  const logQuality = Float64Array.from({ length: n }, () => spread * random.normal());
  return { k, logQuality, w: covering(random, n, grain), mu };
}

/** The largest score of a set of k items, from scratch. */
function bestOf(given: Problem, k: number): number {
  let most = Number.NEGATIVE_INFINITY;
  for (const set of subsets(given.k.length, k)) {
    const score = scoreOf(given, set);
    if (score > most) most = score;
  }
  return most;
}

describe('the best set there is, by brute force', () => {
  test.each([0, 1, 20])('on 60 kernels with coverage weighing %d', async (mu) => {
    let better = 0;
    for (let seed = 0; seed < 60; seed++) {
      const random = seeded(seed);
      const n = 1 + random.below(10);
      const k = 1 + random.below(Math.min(n, 5));
      const kernel = seed % 2 === 0 ? cosines(random, n, Math.max(5, n >> 1)) : gaussians(random, n);
      const given = problem(random, kernel, mu, seed % 3 === 0 ? 1 : 0);
      const { items, stoppedBy, proven, gap, clippedMass } = await run(given, k);
      expect([new Set(items).size, stoppedBy]).toEqual([k, k === n ? 'exhausted' : 'size']);
      expect([proven, gap, clippedMass]).toEqual([true, 0, 0]);
      expect(scoreOf(given, items), `seed ${seed}, n ${n}, k ${k}`).toBeCloseTo(bestOf(given, k), 6);
      const greedy = await greedyMap({
        items: indicesOf(given),
        newObjective: () => objectiveOf(given),
        fits: () => true,
        limit: k,
      });
      if (scoreOf(given, items) > scoreOf(given, greedy.items) + 1e-6) better++;
    }
    expect(better).toBeGreaterThan(0);
  });

  test('with repeated items: never both of two, and the best of what is independent', async () => {
    for (let seed = 0; seed < 40; seed++) {
      const random = seeded(seed);
      const n = 2 + random.below(8);
      const kernel = repeated(random, n);
      const given = problem(random, kernel, seed % 2);
      const rank = new Set(kernel.map((row) => row.indexOf(1))).size;
      const k = Math.min(4, rank);
      const { items, proven } = await run(given, k);
      expect([items.length, proven]).toEqual([k, true]);
      expect(scoreOf(given, items)).toBeCloseTo(bestOf(given, k), 6);
      const all = await run(given, n);
      expect([all.items.length, all.stoppedBy]).toEqual([rank, rank === n ? 'exhausted' : 'rank']);
      for (const i of all.items) for (const j of all.items) if (i !== j) expect(kernel[i][j]).toBeLessThan(1);
    }
  });
});

describe('an indefinite kernel', () => {
  /** L without its negative eigenvalues, the number of the others, and the clipped share. */
  function positivePart(l: number[][]) {
    const values = eigenvalues(l);
    const sum = (term: (value: number) => number) => values.reduce((total, value) => total + term(value), 0);
    return {
      l: clipped(l),
      positive: values.filter((value) => value > 1e-9).length,
      mass: sum((value) => Math.max(0, -value)) / sum(Math.abs),
    };
  }

  test.each([0, 2])(
    'the best set of its positive semi-definite part, by brute force, coverage weighing %d',
    async (mu) => {
      for (let seed = 0; seed < 40; seed++) {
        const random = seeded(seed);
        const n = 2 + random.below(8);
        const given = problem(random, indefinite(random, n), mu);
        const q = given.logQuality;
        const part = positivePart(given.k.map((row, i) => row.map((v, j) => v * Math.exp(q[i] + q[j]))));
        const onPart = { ...given, k: part.l, logQuality: new Float64Array(n) };
        const k = Math.min(4, part.positive);
        const { items, proven, clippedMass, newObjective } = await run(given, k);
        expect([items.length, proven]).toEqual([k, true]);
        expect(clippedMass).toBeCloseTo(part.mass, 10);
        expect(scoreOf(onPart, items), `seed ${seed}`).toBeCloseTo(bestOf(onPart, k), 5);
        // What the items are measured by is that part too.
        const target = newObjective?.();
        for (const item of items) await target?.pick(item);
        expect(target?.value).toBeCloseTo(scoreOf(onPart, items), 5);
      }
    },
  );
});

describe('a budget', () => {
  test('the value and its gap are never below the optimum; more nodes never widen the gap, and enough prove', async () => {
    for (let seed = 0; seed < 10; seed++) {
      const random = seeded(seed);
      const given = problem(random, cosines(random, 14), 1);
      const best = bestOf(given, 5);
      let before = Number.POSITIVE_INFINITY;
      for (const nodes of [0, 4, 16, 64, 256, 1_000_000]) {
        const { gap, items } = await run(given, 5, {}, bounded(nodes));
        const value = scoreOf(given, items);
        expect(value).toBeLessThan(best + 1e-6);
        expect(value + gap).toBeGreaterThan(best - 1e-6);
        expect(gap).toBeLessThanOrEqual(before + 1e-9);
        before = gap;
      }
      expect(before).toBe(0);
    }
  });
});

test('too many items are refused before anything is read', async () => {
  const untouched = () => Promise.reject(new Error('nothing is to be read'));
  const kernelOf = (n: number): Kernel => ({
    n,
    diagonal: new Float64Array(n),
    logQuality: new Float64Array(n),
    row: untouched,
    matrix: untouched,
    isPositive: false,
    sigma: null,
  });
  const refusal = run(plain([]), 2, { kernel: kernelOf(1001), items: Array.from({ length: 1001 }, (_, i) => i) });
  await expect(refusal).rejects.toBeInstanceOf(TooManyItemsError);
  await expect(refusal).rejects.toMatchObject({
    code: 'too-many-items',
    pointer: '/selection/strategy',
    message: expect.stringMatching(/"dpp-map-exact".*1000.*1001/),
  });
  await expect(run(plain([]), 2, { kernel: kernelOf(1000) })).rejects.toThrow('nothing is to be read');
});

test('nothing to choose, one item, all of them the same', async () => {
  expect(await run(plain([]), 3)).toMatchObject({ items: [], stoppedBy: 'exhausted', proven: true, gap: 0 });
  expect(await run(plain([[1]]), 3)).toMatchObject({ items: [0], stoppedBy: 'exhausted', proven: true, gap: 0 });
  expect(await run(plain([[1]]), 0)).toMatchObject({ items: [], stoppedBy: 'size', proven: true, gap: 0 });
  const same = plain(new Array(5).fill([1, 1, 1, 1, 1]));
  expect(await run(same, 3)).toMatchObject({ items: [0], stoppedBy: 'rank', proven: true, gap: 0 });
});
