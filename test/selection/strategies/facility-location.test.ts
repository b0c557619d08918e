import { describe, expect, test } from 'vitest';
import { facilityLocation } from '../../../src/selection/strategies/facility-location.ts';
import type { StrategyInput } from '../../../src/selection/strategies/strategy.ts';
import { type Random, seeded } from '../kernel/random.ts';
import {
  cosines,
  coverageBy,
  covering,
  coverOf,
  greedily,
  groups,
  indefinite,
  type Problem,
  repeated,
  strategyInput,
  tied,
  volumeGains,
} from './problems.ts';

/** Coverage is there whatever its weight in the objective. */
const run = (given: Problem, overrides: Partial<StrategyInput> = {}) =>
  facilityLocation.select(strategyInput(given, { coverage: coverageBy(given.w), ...overrides }));

/** The largest gain of coverage among items that depend on none of the chosen; ties by the gain of log det, then by index. */
function textbook(given: Problem, limit: number): number[] {
  const gainsAfter = (chosen: readonly number[]): number[] => {
    const volume = volumeGains(given, chosen);
    const base = coverOf(given.w, chosen);
    const leaders = tied(
      volume.map((gain, i) => (gain === Number.NEGATIVE_INFINITY ? gain : coverOf(given.w, [...chosen, i]) - base)),
    );
    return volume.map((gain, i) => (leaders.includes(i) ? gain : Number.NEGATIVE_INFINITY));
  };
  return greedily(gainsAfter, limit).items;
}

function problem(random: Random, n: number, k: number[][], grain: number): Problem {
  const logQuality = Float64Array.from({ length: n }, () => random.normal());
  return { k, logQuality, w: covering(random, n, grain), mu: 0 };
}

describe('the greedy of the textbook on coverage, ties by log det, everything from scratch', () => {
  const kernels: [string, (random: Random, n: number) => number[][]][] = [
    ['positive definite', (random, n) => cosines(random, n)],
    ['of repeated items', repeated],
    ['of exact ties', groups],
    ['indefinite', indefinite],
  ];
  test.each(kernels)('60 kernels %s', async (_, kernel) => {
    for (let seed = 0; seed < 60; seed++) {
      const random = seeded(seed);
      const n = 1 + random.below(20);
      // Coverage in any grain, in coarse ones, where gains tie and soon are 0, and none at all.
      const given = problem(random, n, kernel(random, n), [0, 1, 4][seed % 3]);
      const { items, stoppedBy } = await run(given);
      expect(items, `seed ${seed}, n ${n}`).toEqual(textbook(given, n));
      expect(stoppedBy).toBe(items.length === n ? 'exhausted' : 'rank');
    }
  });
});
