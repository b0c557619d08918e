import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { portable } from '../../../src/models/index.ts';
import { incrementalLogDet } from '../../../src/selection/dpp/pivoted-cholesky.ts';
import { givenKernel } from '../../../src/selection/index.ts';
import { agreement } from '../../../src/selection/kernel/agreement.ts';
import { type Coverage, coverage, weightedSum } from '../../../src/selection/kernel/coverage.ts';
import { centring } from '../../../src/selection/kernel/reference.ts';
import { dppMap, greedyMap } from '../../../src/selection/strategies/dpp-map.ts';
import { lazyLeaders } from '../../../src/selection/strategies/facility-location.ts';
import { objective } from '../../../src/selection/strategies/objective.ts';
import type { StrategyInput } from '../../../src/selection/strategies/strategy.ts';
import { fullReference, type Random, randomSimilarities, seeded } from '../kernel/random.ts';
import {
  cosines,
  covering,
  gaussians,
  greedily,
  groups,
  indefinite,
  indicesOf,
  objectiveOf,
  type Problem,
  plain,
  repeated,
  strategyInput,
  textbookGains,
  tied,
  volumeGains,
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

/** Coverage as a digest has it, over random similarities. */
async function digestCoverage(random: Random, n: number): Promise<Coverage> {
  const reference = fullReference(randomSimilarities(random, n), n);
  const documents = Int32Array.from({ length: n }, () => random.below(5));
  const evidence = { plain: null, wording: null, cosines: null };
  const options = { paraphrase: 0.95, unlike: -0.5 };
  const agreed = await agreement(reference, centring(reference), evidence, options, portable);
  return coverage(reference, agreed, documents, { percentile: 60 });
}

test('with the coverage of a digest: the greedy on the summed objective, a new coverage for every set', async () => {
  for (let seed = 0; seed < 40; seed++) {
    const random = seeded(seed);
    const n = 2 + random.below(30);
    const given = { ...plain(cosines(random, n)), logQuality: qualities(random, n) };
    const cover = await digestCoverage(random, n);
    const mu = [1, 20, 100][random.below(3)];
    const coverFrom = (items: readonly number[]) => {
      const state = cover.start();
      for (const i of items) state.add(i);
      return state.value;
    };
    const gainsAfter = (chosen: readonly number[]) =>
      volumeGains(given, chosen).map((gain, i) =>
        gain === Number.NEGATIVE_INFINITY ? gain : gain + mu * (coverFrom([...chosen, i]) - coverFrom(chosen)),
      );
    const newObjective = () =>
      objective(
        incrementalLogDet(new Float64Array(n).fill(1), given.logQuality),
        async (i) => given.k[i],
        weightedSum([[mu, cover.start()]]),
      );
    const limit = Math.min(n, 12);
    const { items } = await greedyMap({ items: indicesOf(given), newObjective, fits: () => true, limit });
    expect(items, `seed ${seed}`).toEqual(greedily(gainsAfter, limit).items);
  }
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

test('words are asked of the item that would be next, with what was picked before it', async () => {
  const asked: [number, number[]][] = [];
  const k = [
    [1, 0.5, 0],
    [0.5, 1, 0],
    [0, 0, 1],
  ];
  await run(plain(k), {
    fits: (item, picked) => {
      asked.push([item, [...picked]]);
      return picked.length < 2;
    },
  });
  expect(asked).toEqual([
    [0, []],
    [2, [0]],
    [1, [0, 2]],
  ]);
});

describe('qualities from 1e-150 to 1e150', () => {
  test('a kernel that is given whole, with entries from 1e-300 to 1e300, is picked from as K with its qualities', async () => {
    for (let seed = 0; seed < 30; seed++) {
      const random = seeded(seed);
      const n = 2 + random.below(20);
      const k = cosines(random, n);
      const q = k.map((_, i) => 10 ** (i === 0 ? 150 : i === 1 ? -150 : 300 * random.next() - 150));
      const { diagonal, logQuality, row } = givenKernel(
        Float64Array.from(k.flatMap((each, i) => each.map((v, j) => v * q[i] * q[j]))),
        n,
      );
      const newObjective = () => objective(incrementalLogDet(diagonal, logQuality), row, null);
      const { items } = await greedyMap({ items: [...k.keys()], newObjective, fits: () => true, limit: n });
      expect(items).toEqual((await run({ ...plain(k), logQuality: Float64Array.from(q, Math.log) })).items);
      expect(items).toHaveLength(n);
    }
  });
});
