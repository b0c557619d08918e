import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { exchange, improve, recentre, shareRoom } from '../../../src/selection/strategies/refine.ts';
import { seeded } from '../kernel/random.ts';
import { cosines, covering, objectiveOf, plain, scoreOf } from './problems.ts';

describe('exchange', () => {
  test('never lowers the objective, and ends where no single exchange helps', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer(), async (seed) => {
        const random = seeded(seed);
        const n = 1 + random.below(10);
        const logQuality = Float64Array.from({ length: n }, () => random.normal());
        const mu = [0, 1, 20][random.below(3)];
        const given = { k: cosines(random, n), logQuality, w: covering(random, n), mu };
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

  test('a pick keeps its place where another would be worth no more than rounding', async () => {
    const identity = [0, 1, 2].map((i) => [0, 1, 2].map((j) => (i === j ? 1 : 0)));
    const given = { ...plain(identity), logQuality: Float64Array.of(2e-10, 1e-10, 0) };
    expect(await exchange([2], () => objectiveOf(given))).toEqual([2]);
    expect(await exchange([2, 1], () => objectiveOf(given))).toEqual([2, 1]);
    const clear = { ...given, logQuality: Float64Array.of(1e-6, 0, 0) };
    expect(await exchange([2, 1], () => objectiveOf(clear))).toEqual([0, 1]);
  });
});

describe('shareRoom', () => {
  const within =
    (words: Int32Array, most: number) =>
    (i: number, others: readonly number[]): boolean =>
      others.reduce((sum, j) => sum + words[j], words[i]) <= most;

  test('one long pick gives way to two short ones that are worth more together', async () => {
    const identity = [0, 1, 2, 3].map((i) => [0, 1, 2, 3].map((j) => (i === j ? 1 : 0)));
    const words = Int32Array.of(20, 10, 10, 10);
    const newObjective = () => objectiveOf({ ...plain(identity), logQuality: Float64Array.of(1.5, 1, 1.1, 0.2) });
    const room = { words, fits: within(words, 20), limit: 5 };
    expect(await shareRoom([0], newObjective, room)).toEqual([2, 1]);
    expect(await shareRoom([0], newObjective, { ...room, limit: 1 })).toEqual([0]);
    expect(await shareRoom([0], newObjective, { ...room, fits: within(words, 19) })).toEqual([0]);
    expect(await shareRoom([2, 1], newObjective, room)).toEqual([2, 1]);
  });

  test('never lowers the objective and keeps to the words and the number of points', async () => {
    let changed = 0;
    await fc.assert(
      fc.asyncProperty(fc.integer(), async (seed) => {
        const random = seeded(seed);
        const n = 1 + random.below(10);
        const logQuality = Float64Array.from({ length: n }, () => random.normal());
        const given = { k: cosines(random, n), logQuality, w: covering(random, n), mu: [0, 5][random.below(2)] };
        const words = Int32Array.from({ length: n }, () => 1 + random.below(20));
        const fits = within(words, 30);
        const limit = 1 + random.below(6);
        const picks: number[] = [];
        for (const i of random.permutation(n)) if (picks.length < limit && fits(i, picks)) picks.push(i);
        const shared = await shareRoom(picks, () => objectiveOf(given), { words, fits, limit });
        expect(new Set(shared).size).toBe(shared.length);
        expect(shared.length).toBeLessThanOrEqual(limit);
        expect(shared.reduce((sum, i) => sum + words[i], 0)).toBeLessThanOrEqual(30);
        expect(scoreOf(given, shared)).toBeGreaterThanOrEqual(scoreOf(given, picks) - 1e-7);
        if (scoreOf(given, shared) > scoreOf(given, picks) + 1e-7) changed++;
      }),
      { seed: 1, numRuns: 80 },
    );
    expect(changed).toBeGreaterThan(20);
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

test('a group is told by its centre, unless it depends on another pick or does not fit', async () => {
  const [n, centre] = [20, 7];
  const identity = Array.from({ length: n }, (_, i) => Array.from({ length: n }, (_, j) => Number(i === j)));
  const told = (mayStand: (i: number) => boolean, k = identity) =>
    improve([0], {
      newObjective: () => objectiveOf(plain(k)),
      agreementWith: async () => new Float32Array(n).fill(1),
      similarityWith: async (i) => new Float32Array(n).fill(i === centre ? 0.9 : 0.2),
      isAtHand: () => true,
      mayStand,
      room: null,
      documents: Int32Array.from({ length: n }, (_, i) => i),
      factors: new Float64Array(n).fill(1),
      threshold: 0.5,
    });
  expect(await told(() => true)).toEqual([centre]);
  expect(await told((i) => i !== centre)).toEqual([0]);
  const flat = identity.map((row, i) => (i === centre ? row.map(() => 0) : row));
  expect(await told(() => true, flat)).toEqual([0]);
});
