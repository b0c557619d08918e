import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Experiment } from '../../../src/contract/index.ts';
import { chiSquareTail } from '../../../src/evaluation/index.ts';
import { assign, hashPlace } from '../../../src/server/experiments/assignment.ts';
import { evenly, experimentOf } from './laboratory.ts';

/**
 * ("","a") and ("exp-1","user-1") are GrowthBook's figures for its hash version 2. The others are what this Python answers:
 *
 *     def fnv(units):
 *         h = 0x811c9dc5
 *         for unit in units: h = ((h ^ unit) * 0x01000193) & 0xffffffff
 *         return h
 *     def units(t):
 *         b = t.encode('utf-16-le', 'surrogatepass')
 *         return [b[i] | b[i + 1] << 8 for i in range(0, len(b), 2)]
 *     def place(seed, value): return fnv(units(str(fnv(units(seed + value))))) % 10000 / 10000
 */
test.each([
  ['', 'a', 0.0216],
  ['exp-1', 'user-1', 0.5069],
  ['', '', 0.2305],
  ['a', 'b', 0.6912],
  ['ab', '', 0.6912],
  ['größe', 'ü', 0.1432],
  ['s', '用户😀', 0.0845],
  ['exp', 'x'.repeat(200), 0.2183],
])('the place of ("%s", "%s") is %d', (seed, value, place) => {
  expect(hashPlace(seed, value)).toBe(place);
});

const SUBJECTS = Array.from({ length: 100_000 }, (_, index) => `user-${index}`);
/** Below this a sample ratio is a mismatch. */
const MISMATCH = 0.001;

/** P of a table whose rows and columns are independent: Pearson's chi-square. */
function independence(rows: readonly (readonly number[])[]): number {
  const total = rows.flat().reduce((sum, cell) => sum + cell, 0);
  const rowSums = rows.map((row) => row.reduce((sum, cell) => sum + cell, 0));
  const columnSums = rows[0].map((_, column) => rows.reduce((sum, row) => sum + row[column], 0));
  const statistic = rows
    .flatMap((row, i) =>
      row.map((cell, j) => (cell - (rowSums[i] * columnSums[j]) / total) ** 2 / ((rowSums[i] * columnSums[j]) / total)),
    )
    .reduce((sum, term) => sum + term, 0);
  return chiSquareTail(statistic, (rows.length - 1) * (rows[0].length - 1));
}

function goodness(observed: readonly number[], expected: readonly number[]): number {
  const statistic = observed.reduce((sum, count, place) => sum + (count - expected[place]) ** 2 / expected[place], 0);
  return chiSquareTail(statistic, observed.length - 1);
}

function counts(experiment: Experiment, subjects: readonly string[] = SUBJECTS): number[] {
  const found = new Map(experiment.variants.map(({ name }) => [name, 0]));
  for (const subject of subjects) {
    const { variant } = assign(experiment, subject);
    if (variant !== null) found.set(variant, (found.get(variant) ?? 0) + 1);
  }
  return [...found.values()];
}

test('they split by the weights, also in part of the traffic', () => {
  const weights = [0.7, 0.2, 0.1];
  const variants = weights.map((weight, place) => ({ name: `v${place}`, weight, options: {} }));
  const observed = counts(experimentOf({ variants, traffic: 0.3 }));
  const all = observed.reduce((sum, each) => sum + each);
  expect(goodness([all, 100_000 - all], [30_000, 70_000])).toBeGreaterThan(MISMATCH);
  expect(
    goodness(
      observed,
      weights.map((weight) => weight * all),
    ),
  ).toBeGreaterThan(MISMATCH);
});

test.each([
  ['exp-1', 'exp-2'],
  ['a', 'b'],
  ['exp:1', 'exp:2'], // versions of one
  ['exp', 'exp:traffic'],
])('assignments of %s and %s are independent', (one, other) => {
  const [first, second] = [one, other].map((salt) => experimentOf({ salt, variants: evenly(3) }));
  const table = [0, 1, 2].map(() => [0, 0, 0]);
  for (const subject of SUBJECTS) {
    const [row, column] = [first, second].map((each) => Number(assign(each, subject).variant?.slice(1)));
    table[row][column]++;
  }
  expect(independence(table)).toBeGreaterThan(MISMATCH);
});

test('more or less traffic moves nobody from one variant to another', () => {
  const share = fc.double({ min: 0, max: 1, noNaN: true });
  fc.assert(
    fc.property(fc.string(), share, share, (subject, a, b) => {
      const [less, more] = [Math.min(a, b), Math.max(a, b)].map((traffic) =>
        assign(experimentOf({ traffic, variants: evenly(5) }), subject),
      );
      if (less.variant !== null) expect(more).toEqual(less);
      else expect(less.reason).toBe('traffic');
    }),
  );
  expect(assign(experimentOf({ traffic: 0 }), 'anyone')).toMatchObject({ variant: null, reason: 'traffic' });
});

test('nobody takes part in a draft or after the end', () => {
  const experiment = experimentOf();
  expect(assign({ ...experiment, status: 'draft' }, 's')).toEqual({
    key: 'exp',
    version: 1,
    variant: null,
    reason: 'draft',
  });
  expect(assign({ ...experiment, status: 'stopped' }, 's')).toMatchObject({ variant: null, reason: 'stopped' });
});
