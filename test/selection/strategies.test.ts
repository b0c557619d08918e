import fc from 'fast-check';
import { determinant, Matrix } from 'ml-matrix';
import { describe, expect, test } from 'vitest';
import { expectedSize } from '../../src/dpp/expected-size.ts';
import { incrementalLogDet } from '../../src/dpp/incremental-log-det.ts';
import { PARAPHRASE } from '../../src/kernel/agreement.ts';
import { automaticSize } from '../../src/selection/automatic-size.ts';
import { dppMap } from '../../src/selection/dpp-map.ts';
import { mostRelevant } from '../../src/selection/most-relevant.ts';
import { type Objective, objective } from '../../src/selection/objective.ts';
import { exchange, recentre } from '../../src/selection/refine.ts';
import { rowsOnDemand } from '../../src/selection/rows-on-demand.ts';
import { type PointRows, support } from '../../src/selection/support.ts';
import { givenSimilarity, landmarkReference, type Random, randomSimilarities, seeded } from '../kernel/random.ts';

/** Unit diagonal, positive definite. */
function kernel(random: Random, n: number): number[][] {
  const d = n + 1;
  const a = Array.from({ length: n }, () => {
    const row = Array.from({ length: d }, () => random.normal());
    const norm = Math.hypot(...row);
    return row.map((v) => v / norm);
  });
  return a.map((x, i) => a.map((y, j) => (i === j ? 1 : x.reduce((sum, v, c) => sum + v * y[c], 0))));
}

interface Problem {
  readonly k: number[][];
  readonly logQuality: Float64Array;
  /** w[i][j]: how much i covers j. */
  readonly w: number[][];
  readonly mu: number;
}

function problem(seed: number, most = 12): Problem {
  const random = seeded(seed);
  const n = 1 + random.below(most);
  return {
    k: kernel(random, n),
    logQuality: Float64Array.from({ length: n }, () => random.normal()),
    w: Array.from({ length: n }, () => Array.from({ length: n }, () => Math.max(0, random.normal()))),
    mu: [0, 1, 20][random.below(3)],
  };
}

/** log det(L_S) + mu cov(S) from scratch. */
function scoreOf({ k, logQuality, w, mu }: Problem, items: readonly number[]): number {
  if (items.length === 0) return 0;
  const logDet = Math.log(determinant(new Matrix(items.map((i) => items.map((j) => k[i][j])))));
  const cov = w.reduce((sum, _, j) => sum + Math.max(...items.map((i) => w[i][j])), 0);
  return logDet + items.reduce((sum, i) => sum + 2 * logQuality[i], 0) + mu * cov;
}

function objectiveOf({ k, logQuality, w, mu }: Problem): Objective {
  const covered = new Float64Array(k.length);
  const gain = (i: number) => w[i].reduce((sum, v, j) => sum + Math.max(0, v - covered[j]), 0);
  let value = 0;
  const coverage = {
    get value() {
      return value;
    },
    gain,
    add(i: number) {
      value += gain(i);
      w[i].forEach((v, j) => {
        covered[j] = Math.max(covered[j], v);
      });
    },
  };
  const logDet = incrementalLogDet(new Float64Array(k.length).fill(1), logQuality);
  return objective(logDet, async (i) => k[i], mu === 0 ? null : coverage, mu);
}

const always = () => true;
const run = (given: Problem, overrides: Partial<Parameters<typeof dppMap>[0]> = {}) =>
  dppMap({
    objective: objectiveOf(given),
    relevance: new Float64Array(given.k.length),
    fits: always,
    limit: Number.POSITIVE_INFINITY,
    ...overrides,
  });

/** A kernel that is given whole, all qualities 1, no coverage. */
const plain = (k: number[][]): Problem => ({ k, logQuality: new Float64Array(k.length), w: k.map(() => []), mu: 0 });

describe('dpp-map', () => {
  test('200 random kernels: the greedy of the textbook, everything recomputed at every step', async () => {
    for (let seed = 0; seed < 200; seed++) {
      const given = problem(seed);
      const n = given.k.length;
      const { picks, stoppedBy } = await run(given);
      const chosen: number[] = [];
      while (chosen.length < n) {
        const base = scoreOf(given, chosen);
        const gains = Array.from({ length: n }, (_, i) =>
          chosen.includes(i) ? Number.NEGATIVE_INFINITY : scoreOf(given, [...chosen, i]) - base,
        );
        const largest = Math.max(...gains);
        const item = gains.findIndex((gain) => gain >= largest - 1e-9 * Math.max(1, Math.abs(largest)));
        expect(picks[chosen.length].item, `seed ${seed}`).toBe(item);
        expect(picks[chosen.length].gain).toBeCloseTo(gains[item], 6);
        chosen.push(item);
      }
      expect([picks.length, stoppedBy]).toEqual([n, 'exhausted']);
    }
  });

  test('gains add up to the objective', async () => {
    const given = problem(3);
    const target = objectiveOf(given);
    const { picks } = await run(given, { objective: target });
    expect(picks.reduce((sum, { gain }) => sum + gain, 0)).toBeCloseTo(target.value, 9);
    expect(
      scoreOf(
        given,
        picks.map(({ item }) => item),
      ),
    ).toBeCloseTo(target.value, 6);
  });

  test('ties within a billionth go to the lowest index, clear leads do not', async () => {
    const identity = [0, 1, 2].map((i) => [0, 1, 2].map((j) => (i === j ? 1 : 0)));
    const first = async (...logQuality: number[]) =>
      (await run({ ...plain(identity), logQuality: Float64Array.from(logQuality) }, { limit: 1 })).picks[0].item;
    expect(await first(0, 0, 0)).toBe(0);
    expect(await first(0, 1e-10, 2e-10)).toBe(0);
    expect(await first(0, 1e-8, 2e-8)).toBe(2);
    expect(await first(-1e-8, 0, 2e-10)).toBe(1);
    expect(await first(1e4, 1e4 + 1e-6, 0)).toBe(0); // relative to the gain
  });

  test('stops by size, words, rank and exhaustion', async () => {
    const duplicates = plain([
      [1, 1, 0],
      [1, 1, 0],
      [0, 0, 1],
    ]);
    const items = async (given: Problem, overrides: Parameters<typeof run>[1]) => {
      const { picks, stoppedBy } = await run(given, overrides);
      return [picks.map(({ item }) => item), stoppedBy];
    };
    expect(await items(duplicates, { limit: 1 })).toEqual([[0], 'size']);
    expect(await items(duplicates, { limit: 0 })).toEqual([[], 'size']);
    expect(await items(duplicates, {})).toEqual([[0, 2], 'rank']);
    expect(await items(duplicates, { limit: 3 })).toEqual([[0, 2], 'rank']);
    expect(await items(duplicates, { fits: (_, picked) => picked.length < 1 })).toEqual([[0], 'words']);
    expect(await items(plain([[1]]), { limit: 1 })).toEqual([[0], 'exhausted']);
    expect(await items(plain([]), { limit: 5 })).toEqual([[], 'exhausted']);
  });
});

describe('relevance', () => {
  const k = [
    [1, 1, 0],
    [1, 1, 0],
    [0, 0, 1],
  ];
  const most = async (relevance: number[], overrides: Partial<Parameters<typeof mostRelevant>[0]> = {}) => {
    const { picks, stoppedBy } = await mostRelevant({
      objective: objectiveOf(plain(k)),
      relevance: Float64Array.from(relevance),
      fits: always,
      limit: Number.POSITIVE_INFINITY,
      ...overrides,
    });
    return [picks.map(({ item }) => item), stoppedBy];
  };

  test('in falling order, the lower index on a tie, duplicates passed over', async () => {
    expect(await most([0.1, 0.9, 0.5])).toEqual([[1, 2], 'rank']);
    expect(await most([0.5, 0.5, 0.5])).toEqual([[0, 2], 'rank']);
    expect(await most([-1, -3, -2], { limit: 1 })).toEqual([[0], 'size']);
    expect(await most([1, 2, 3], { fits: (item) => item === 2 })).toEqual([[2], 'words']);
  });
});

describe('exchange', () => {
  test('never lowers the objective, and ends where no single exchange helps', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer(), async (seed) => {
        const given = problem(seed, 10);
        const n = given.k.length;
        const random = seeded(seed + 1);
        const picks = random.permutation(n).slice(0, 1 + random.below(Math.min(n, 4)));
        const once = await exchange(picks, () => objectiveOf(given));
        expect(once).toHaveLength(picks.length);
        expect(new Set(once).size).toBe(picks.length);
        expect(scoreOf(given, once)).toBeGreaterThanOrEqual(scoreOf(given, picks) - 1e-7);
        // Passes are bounded; run on until nothing moves, then it has to be a local optimum.
        let settled = once;
        for (let round = 0; round < 10; round++) settled = await exchange(settled, () => objectiveOf(given));
        const best = scoreOf(given, settled);
        for (let place = 0; place < settled.length; place++) {
          for (let i = 0; i < n; i++) {
            if (settled.includes(i)) continue;
            expect(scoreOf(given, settled.with(place, i))).toBeLessThanOrEqual(best + 1e-7);
          }
        }
        expect(await exchange(settled, () => objectiveOf(given))).toEqual(settled);
      }),
      { seed: 1, numRuns: 80 },
    );
  });

  test('nothing to exchange', async () => {
    expect(await exchange([], () => objectiveOf(plain([])))).toEqual([]);
    expect(await exchange([0], () => objectiveOf(plain([[1]])))).toEqual([0]);
  });
});

describe('recentre', () => {
  const s = [
    [1, 0.2, 0.2, 0.2],
    [0.2, 1, 0.8, 0.8],
    [0.2, 0.8, 1, 0.1],
    [0.2, 0.8, 0.1, 1],
  ];
  const rows = (...items: number[]) => new Map(items.map((i) => [i, s[i]] as const));
  const ones = new Float64Array(4).fill(1);
  const apart = Int32Array.of(0, 1, 2, 3);

  test('moves to the medoid', () => {
    expect(recentre({ pick: 0, members: [0, 1, 2, 3] }, rows(0, 1, 2, 3), apart, ones)).toBe(1);
  });

  test('the pick keeps its place on a tie, in small groups, and without rows', () => {
    const equal = new Map([0, 1, 2].map((i) => [i, [0.5, 0.5, 0.5]] as const));
    for (const pick of [0, 1, 2]) expect(recentre({ pick, members: [0, 1, 2] }, equal, apart, ones)).toBe(pick);
    expect(recentre({ pick: 0, members: [0, 1] }, rows(0, 1), apart, ones)).toBe(0);
    expect(recentre({ pick: 0, members: [0, 1, 2] }, rows(), apart, ones)).toBe(0);
  });

  test('points of the same document do not vouch for each other; factors weigh', () => {
    const documents = Int32Array.of(0, 1, 1, 1);
    // 1 is supported by 2 and 3 only, which come from its own document.
    expect(recentre({ pick: 2, members: [0, 1, 2, 3] }, rows(0, 1, 2, 3), documents, ones)).toBe(0);
    const factors = Float64Array.of(1, 0.1, 1, 1);
    expect(recentre({ pick: 0, members: [0, 1, 2, 3] }, rows(0, 1, 2, 3), apart, factors)).toBe(2);
  });
});

describe('support', () => {
  const row = (similarity: number[], agreement: number[], cosines: number[] | null = null): PointRows => ({
    similarity: Float32Array.from(similarity),
    agreement: Float32Array.from(agreement),
    cosines: cosines && Float32Array.from(cosines),
  });
  const options = { threshold: 0.25, same: 0.5 };
  const n = 24;
  const pad = (values: number[], filler = -1) => [...values, ...new Array(n - values.length).fill(filler)];

  test('joins what it agrees with most, from the threshold up', () => {
    const rows = [
      row(pad([1, 0, 0.3, 0.3]), pad([8, 0, 0.25, 0.2])),
      row(pad([0, 1, 0.9, 0.3]), pad([0, 8, 0.2, 0.24])),
    ];
    const { position, similarity, joins } = support([0, 1], rows, n, options);
    expect([...joins.subarray(0, 5)]).toEqual([0, 0, 1, 0, 0]);
    expect([...position.subarray(0, 4)]).toEqual([1, 0, 0, 1]);
    expect(similarity[2]).toBe(Math.fround(0.3));
  });

  test('ties go to the larger S, then to the earlier pick', () => {
    const tie = (a: number, b: number) =>
      support([0, 1], [row(pad([1, 0, a]), pad([8, 0, 0.5])), row(pad([0, 1, b]), pad([0, 8, 0.5]))], n, options)
        .position[2];
    expect([tie(0.5, 0.5), tie(0.5, 0.75), tie(0.75, 0.5), tie(-0.5, -0.5), tie(-0.5, -0.25)]).toEqual([0, 1, 0, 0, 1]);
  });

  test('sentences too far apart do not join, paraphrases do', () => {
    const { joins } = support(
      [0],
      [row(pad([1, 0, 0, 0]), pad([8, 0.5, 0.5, PARAPHRASE]), pad([1, 0.5, 0.49, 0.1]))],
      n,
      options,
    );
    expect([...joins.subarray(0, 4)]).toEqual([0, 1, 0, 1]);
  });

  test('null: nothing joins; under 20 points only paraphrases; nothing selected', () => {
    const rows = [row([1, 0, 1], [8, 0.9, PARAPHRASE])];
    expect([...support([0], rows, 3, { ...options, threshold: null }).joins]).toEqual([0, 0, 0]);
    expect([...support([0], rows, 3, options).joins]).toEqual([0, 0, 1]);
    const none = support([], [], 3, options);
    expect([[...none.position], [...none.joins]]).toEqual([
      [-1, -1, -1],
      [0, 0, 0],
    ]);
    expect(support([0], [row([1], [8])], 1, options).position[0]).toBe(-1);
  });
});

describe('automatic size', () => {
  const sized = (k: number[][], logQuality: number[], maxWords: number | null = null) =>
    automaticSize('auto', {
      quality: Float64Array.from(logQuality),
      kernelRow: async (i) => k[i],
      words: new Int32Array(k.length).fill(10),
      maxWords,
    });

  test('the expected size of L, exact up to 150 items', async () => {
    for (const n of [1, 2, 9, 40]) {
      const random = seeded(n);
      const k = kernel(random, n);
      const q = Array.from({ length: n }, () => random.normal());
      const exact = expectedSize(k.map((row, i) => row.map((v, j) => v * Math.exp(q[i] + q[j]))));
      const found = await sized(k, q);
      expect(found.expectedSize).toBeCloseTo(exact, 8);
      expect(found.limit).toBe(Math.max(1, Math.round(exact)));
    }
  });

  test('beyond, a lower bound', async () => {
    const random = seeded(5);
    const n = 170;
    const k = kernel(random, n);
    const q = Array.from({ length: n }, () => random.normal() - 1);
    const exact = expectedSize(k.map((row, i) => row.map((v, j) => v * Math.exp(q[i] + q[j]))));
    const { expectedSize: found } = await sized(k, q);
    expect(found).toBeLessThanOrEqual(exact);
    expect(found).toBeGreaterThan(0.8 * exact);
  });

  test('at least one; nothing to pick from is no error', async () => {
    expect((await sized([[1]], [-50])).limit).toBe(1);
    expect(await sized([], [])).toMatchObject({ limit: 1, expectedSize: 0 });
  });

  // Fails until the exponent is kept within the range of a double: above about 1e154 products of qualities overflow, and
  // ml-matrix throws on Infinity.
  test('qualities past the range of a double', async () => {
    const k = kernel(seeded(1), 3);
    expect(await sized(k, [360, 359, 0])).toMatchObject({ limit: expect.any(Number) });
  });

  test('words: the first pick always fits, later ones within the budget', async () => {
    const { fits } = await sized(kernel(seeded(1), 4), [0, 0, 0, 0], 25);
    expect([fits(0, []), fits(1, [0]), fits(2, [0, 1])]).toEqual([true, true, false]);
    expect((await sized([[1]], [0], 5)).fits(0, [])).toBe(true);
    const input = { quality: new Float64Array(2), kernelRow: async () => [], words: Int32Array.of(7, 4), maxWords: 1 };
    const words = await automaticSize({ words: 10 }, input);
    expect([words.limit, words.expectedSize, words.fits(1, [0]), words.fits(0, [])]).toEqual([
      Number.POSITIVE_INFINITY,
      null,
      false,
      true,
    ]);
    const count = await automaticSize({ keyPoints: 3 }, input);
    expect([count.limit, count.expectedSize, count.fits(1, [0, 0])]).toEqual([3, null, true]);
  });
});

test('rows on demand: of references as they are, of others computed once', async () => {
  const n = 6;
  const s = randomSimilarities(seeded(1), n);
  const asked: number[] = [];
  const given = givenSimilarity(s, n);
  const counting = {
    ...given,
    rows: (indices: readonly number[]) => {
      asked.push(...indices);
      return given.rows(indices);
    },
  };
  const rows = rowsOnDemand(counting, landmarkReference(s, n, [1, 4]));
  for (const i of [4, 2, 2, 1, 5, 2]) expect(await rows(i)).toEqual(s.subarray(i * n, (i + 1) * n));
  expect(asked).toEqual([2, 5]);
});
