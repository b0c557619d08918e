import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { dppMap } from '../../../src/selection/strategies/dpp-map.ts';
import { lazyLeaders } from '../../../src/selection/strategies/one-by-one.ts';
import type { StrategyInput } from '../../../src/selection/strategies/strategy.ts';
import { type Random, seeded } from '../kernel/random.ts';
import {
  cosines,
  covering,
  gaussians,
  greedily,
  groups,
  indefinite,
  objectiveOf,
  type Problem,
  plain,
  repeated,
  strategyInput,
  textbookGains,
  tied,
  wholeNumbers,
} from './problems.ts';

const run = (given: Problem, overrides: Partial<StrategyInput> = {}) => dppMap.select(strategyInput(given, overrides));

const families: Record<string, (random: Random, n: number) => number[][]> = {
  'positive definite': (random, n) => cosines(random, n),
  'of a Gaussian': gaussians,
  'of a low rank': (random, n) => wholeNumbers(random, n, 1 + random.below(12)),
  'of repeated items': repeated,
  'of exact ties': groups,
  indefinite,
};

/** Qualities around 1; every third time all the same, so that only the kernel decides. */
function qualities(random: Random, n: number): Float64Array {
  const spread = random.below(3);
  return Float64Array.from({ length: n }, () => spread * random.normal());
}

async function expectTextbook(given: Problem, message: string): Promise<void> {
  const n = given.k.length;
  const { items, stoppedBy } = await run(given);
  const textbook = greedily((chosen) => textbookGains(given, chosen), n);
  expect(items, message).toEqual(textbook.items);
  expect(stoppedBy).toBe(items.length === n ? 'exhausted' : 'rank');
  const target = objectiveOf(given);
  for (const [place, item] of items.entries()) {
    expect(target.gain(item), message).toBeCloseTo(textbook.gains[place], 5);
    await target.pick(item);
  }
}

describe('dpp-map is the greedy of the textbook, every determinant from scratch', () => {
  test.each(Object.keys(families))('84 kernels %s', async (family) => {
    for (let seed = 0; seed < 84; seed++) {
      const random = seeded(seed);
      const n = 1 + random.below(40);
      const k = families[family](random, n);
      await expectTextbook({ ...plain(k), logQuality: qualities(random, n) }, `seed ${seed}, n ${n}`);
    }
  });

  test.each(Object.keys(families))('40 kernels %s with coverage, the sum from scratch', async (family) => {
    for (let seed = 0; seed < 40; seed++) {
      const random = seeded(seed + 1000);
      const n = 1 + random.below(24);
      const k = families[family](random, n);
      const w = covering(random, n, seed % 2 === 0 ? 0 : 0.5);
      const mu = [0.25, 1, 16, 1024][random.below(4)];
      await expectTextbook({ k, logQuality: qualities(random, n), w, mu }, `seed ${seed}, n ${n}, mu ${mu}`);
    }
  });
});

describe('lazy evaluation', () => {
  test('finds the leaders of any gains that fall, many of them tied or near a tie', () => {
    const step = fc.array(fc.tuple(fc.nat(11), fc.constantFrom(0, 2e-10, 6e-10, 1, 2, Number.POSITIVE_INFINITY)));
    const start = fc.array(fc.constantFrom(-1, 0, 1, 1 + 5e-10, 2, 1e6, 1e6 + 1e-4, Number.NEGATIVE_INFINITY), {
      minLength: 1,
      maxLength: 12,
    });
    fc.assert(
      fc.property(start, fc.array(step, { maxLength: 12 }), (first, steps) => {
        const gains = [...first];
        const leadersOf = lazyLeaders(gains.length, (i) => gains[i]);
        for (const falls of [[], ...steps]) {
          for (const [i, fall] of falls) if (i < gains.length && gains[i] > Number.NEGATIVE_INFINITY) gains[i] -= fall;
          expect(leadersOf()).toEqual(tied(gains));
        }
      }),
      { seed: 1, numRuns: 100 },
    );
  });
});

// The rounding of a pick is more than n eps for n of 2 or 3 and a diagonal other than 1.
test('of two duplicates on any diagonal, none is left once the other is picked', async () => {
  for (let step = 1; step < 2000; step++) {
    const d = step / 7919;
    const target = objectiveOf(
      plain([
        [d, d],
        [d, d],
      ]),
    );
    await target.pick(0);
    expect(target.gain(1), `diagonal ${d}`).toBe(Number.NEGATIVE_INFINITY);
    target.release();
  }
});
