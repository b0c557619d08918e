import { describe, expect, test } from 'vitest';
import { normalizeRows, portable } from '../../../src/models/index.ts';
import {
  cosineSimilarity,
  gramSimilarity,
  LANDMARKS,
  type Selection,
  type SelectionInput,
  type SelectionOptions,
  select,
} from '../../../src/selection/index.ts';
import { normals, seeded } from '../kernel/random.ts';
import { inputOf } from './inputs.ts';
import { BARE } from './problems.ts';

const D = 20;

const OPTIONS: SelectionOptions = {
  ...BARE,
  kernel: { ...BARE.kernel, sigma: 'median' },
  relevance: { form: 'exponential', weight: 0.5 },
  salience: { weight: 0.5, threshold: 0.15 },
  coverage: { weight: 20, threshold: { percentile: 80 } },
  sources: { weight: 10 },
  support: { ...BARE.support, threshold: 0.15 },
  background: { weight: 1 },
  exact: { nodes: 100_000, milliseconds: null },
  refine: true,
};

interface Point {
  readonly vector: Float32Array;
  readonly other: Float32Array;
  readonly text: string;
  readonly relevance: number;
  readonly document: number;
  readonly words: number;
  readonly hash: string;
  readonly factor: number;
  readonly known: number;
}

/** Points around a few subjects, from a few documents. */
function points(seed: number, n: number, documents = 6): Point[] {
  const random = seeded(seed);
  const subjects = Array.from({ length: 8 }, () => normals(random, D));
  return Array.from({ length: n }, (_, i) => {
    const subject = random.below(8);
    const near = () =>
      normalizeRows(
        subjects[subject].map((v) => v + 0.7 * random.normal()),
        1,
        D,
      );
    return {
      vector: near(),
      other: near(),
      text: `subject ${'abcdefgh'[subject].repeat(6)} word${random.below(30)} word${random.below(30)}`,
      relevance: random.next(),
      document: documents === 1 ? 0 : random.below(documents),
      words: 5 + random.below(20),
      hash: `${random.next().toString(16).slice(2)}-${i}`,
      factor: 0.5 + random.next(),
      known: random.next(),
    };
  });
}

function pointsInput(given: readonly Point[], overrides: Partial<SelectionInput> = {}): SelectionInput {
  const cosines = (of: (point: Point) => Float32Array) =>
    cosineSimilarity(Float32Array.from(given.flatMap((point) => [...of(point)])), given.length, D, portable);
  return inputOf(
    cosines(({ vector }) => vector),
    {
      wording: gramSimilarity(given.map(({ text }) => text)),
      cosine: cosines(({ other }) => other),
      relevance: Float64Array.from(given, ({ relevance }) => relevance),
      documents: Int32Array.from(given, ({ document }) => document),
      words: Int32Array.from(given, ({ words }) => words),
      hashes: given.map(({ hash }) => hash),
      factors: Float64Array.from(given, ({ factor }) => factor),
      known: Float64Array.from(given, ({ known }) => known),
      ...overrides,
    },
  );
}

const run = (given: readonly Point[], options: Partial<SelectionOptions> = {}, overrides?: Partial<SelectionInput>) =>
  select(pointsInput(given, overrides), { ...OPTIONS, ...options }, portable);

const itemsOf = ({ picks }: Selection) => picks.map(({ item }) => item);

const salienceOf = ({ salience }: Selection) => [...(salience ?? [])];

/** What holds of every selection. */
function expectSound(selection: Selection, n: number): void {
  const items = itemsOf(selection);
  expect(new Set(items).size).toBe(items.length);
  expect(items.every((i) => i >= 0 && i < n)).toBe(true);
  const gains = selection.picks.reduce((sum, { item }) => sum + selection.gains[item], 0);
  expect(gains).toBeCloseTo(selection.objective, 6);
  expect(selection.gains).toHaveLength(n);
  expect([...selection.gains].some(Number.isNaN)).toBe(false);
  for (const { item, gain } of selection.picks) {
    expect(Number.isFinite(selection.gains[item])).toBe(true);
    expect([selection.gains[item], null]).toContain(gain);
  }
  expect(selection.salience).toHaveLength(n);
  expect(salienceOf(selection).every((d) => Number.isInteger(d) && d >= 0)).toBe(true);
  items.forEach((item, p) => {
    expect(selection.pickedSimilarity[p * items.length + p]).toBe(1);
    expect(selection.nearest.joins[item]).toBe(0);
  });
  selection.nearest.item.forEach((nearest, j) => {
    const others = items.filter((item) => item !== j);
    expect(others.length === 0 ? [-1] : others).toContain(nearest);
  });
}

describe.each(['dpp-map', 'relevance', 'mmr', 'facility-location'] as const)('%s', (strategy) => {
  test.each([0, 1, 2, 19, 20, 60])('%i points', async (n) => {
    for (const size of [{ keyPoints: 5 }, { words: 40 }, 'auto'] as const) {
      const selection = await run(points(n, n), { strategy, size });
      expectSound(selection, n);
      expect(selection.picks.length > 0).toBe(n > 0);
      if (size !== 'auto' && 'keyPoints' in size) expect(selection.picks).toHaveLength(Math.min(5, n));
      expect(selection.landmarks).toBe(null);
    }
  });

  test.each([12, 45])('P5: a permutation of %i points permutes the result', async (n) => {
    for (const seed of [1, 2, 3]) {
      const given = points(seed, n);
      const order = seeded(seed + 100).permutation(n);
      const a = await run(given, { strategy });
      const b = await run(
        order.map((i) => given[i]),
        { strategy },
      );
      expect(itemsOf(b).map((i) => order[i])).toEqual(itemsOf(a));
      expect(b.objective).toBeCloseTo(a.objective, 4);
      expect(b.sigma).toBeCloseTo(a.sigma ?? Number.NaN, 6);
      order.forEach((original, i) => {
        expect(salienceOf(b)[i]).toBe(salienceOf(a)[original]);
        expect(b.nearest.joins[i]).toBe(a.nearest.joins[original]);
        expect(order[b.nearest.item[i]] ?? -1).toBe(a.nearest.item[original]);
      });
    }
  });
});

describe.each(['dpp-map', 'relevance', 'facility-location', 'dpp-map-exact'] as const)('%s', (strategy) => {
  test.each([3, 30])('%i identical points: one pick, the others join it', async (n) => {
    const [one] = points(1, 1);
    const given = Array.from({ length: n }, (_, i) => ({ ...one, document: i, hash: `${i}` }));
    const selection = await run(given, { strategy });
    expectSound(selection, n);
    expect([itemsOf(selection), selection.stoppedBy]).toEqual([[0], 'rank']);
    expect([...selection.nearest.joins]).toEqual([0, ...new Array(n - 1).fill(1)]);
    expect(salienceOf(selection)).toEqual(new Array(n).fill(n - 1));
    expect([...selection.gains].slice(1)).toEqual(new Array(n - 1).fill(Number.NEGATIVE_INFINITY));
  });
});

test('the summary tells so many picks: the later ones are let go for the size, those without room for the words', async () => {
  const given = points(9, 40);
  const all = itemsOf(await run(given));
  const selection = await run(given, {}, { room: { maxWords: null, reserve: 0, picks: 3 } });
  expectSound(selection, 40);
  expect(itemsOf(selection)).toEqual(all.slice(0, 3));
  expect(selection.dropped).toEqual(all.slice(3).map((item) => ({ item, reason: 'size' })));

  const both = await run(given, {}, { room: { maxWords: 30, reserve: 5, picks: 1 } });
  expect(itemsOf(both)).toHaveLength(1);
  expect(new Set(both.dropped.map(({ reason }) => reason))).toEqual(new Set(['words', 'size']));
});

test('over 1,000 points: landmarks are reported, and another order picks the same', { timeout: 60_000 }, async () => {
  const n = 1010;
  const given = points(12, n, 30);
  const order = seeded(13).permutation(n);
  const options = { size: { keyPoints: 4 } } as const;
  const a = await run(given, options);
  const b = await run(
    order.map((i) => given[i]),
    options,
  );
  expectSound(a, n);
  expect([a.landmarks, b.landmarks]).toEqual([LANDMARKS, LANDMARKS]);
  expect(itemsOf(b).map((i) => given[order[i]].hash)).toEqual(itemsOf(a).map((i) => given[i].hash));
  expect(salienceOf(a).some((d) => d > 0)).toBe(true);
});
