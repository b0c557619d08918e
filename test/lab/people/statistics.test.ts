import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  agreeingPairs,
  cohensKappa,
  type Disagreement,
  freeMarginalKappa,
  krippendorffAlpha,
  pearson,
  spearman,
} from '../../../src/lab/people/statistics.ts';

const once = (count: number) => new Float64Array(count).fill(1);

function cohen(a: readonly number[], b: readonly number[], categories: number, disagreement?: Disagreement) {
  return cohensKappa(a, b, categories, disagreement)(once(a.length));
}

/** Two raters whose answers are counted by a table: rows of the first, columns of the second. */
function ofTable(table: readonly (readonly number[])[], disagreement?: Disagreement) {
  const pairs = table.flatMap((row, a) => row.flatMap((count, b) => new Array<[number, number]>(count).fill([a, b])));
  return cohen(
    pairs.map(([a]) => a),
    pairs.map(([, b]) => b),
    table.length,
    disagreement,
  );
}

function free(counts: readonly (readonly number[])[], categories: number): number | null {
  const shares = counts.flatMap((each) => agreeingPairs(each) ?? []);
  return freeMarginalKappa(shares, categories)(once(shares.length));
}

test('Cohen’s kappa as SAS prints it, simple and weighted linearly (the example that statsmodels is tested with)', () => {
  const table = [
    [0, 4, 1],
    [0, 8, 0],
    [0, 1, 5],
  ];
  expect(ofTable(table)).toBeCloseTo(0.4842, 4);
  expect(ofTable(table, 'linear')).toBeCloseTo(0.4701, 4);
  // By hand: (0.7 - 0.5) / (1 - 0.5).
  const grants = [
    [20, 5],
    [10, 15],
  ];
  expect(ofTable(grants)).toBeCloseTo(0.4, 13);
});

test('the free-marginal kappa as Randolph’s calculator has it (justusrandolph.net/kappa), and statsmodels 0.15.0', () => {
  const two = [
    [7, 1],
    [3, 5],
  ];
  expect(free(two, 2)).toBeCloseTo(0.214286, 6);
  const three = [
    [6, 1, 0],
    [0, 7, 0],
  ];
  expect(free(three, 3)).toBeCloseTo(0.785714, 6);
  const five = [
    [2, 1, 1],
    [0, 4, 0],
    [1, 1, 2],
    [0, 0, 4],
    [3, 1, 0],
  ];
  // fleiss_kappa(five, method='randolph')
  expect(free(five, 3)).toBeCloseTo(0.35, 13);
});

test('what is not defined is null', () => {
  expect(cohen([], [], 2)).toBeNull();
  // Both always say the same one thing: chance alone would agree throughout.
  expect(cohen([1, 1, 1], [1, 1, 1], 2)).toBeNull();
  expect(cohen([1, 1, 1], [0, 0, 0], 2)).toBe(0);
  expect(cohensKappa([0, 1], [0, 1], 2)(new Float64Array(2))).toBeNull();
  expect([free([], 2), free([[3]], 1)]).toEqual([null, null]);
});

const ratings = fc.integer({ min: 2, max: 4 }).chain((categories) =>
  fc.record({
    categories: fc.constant(categories),
    pairs: fc.array(fc.tuple(fc.nat(categories - 1), fc.nat(categories - 1), fc.nat(2)), { minLength: 1 }),
    disagreement: fc.constantFrom<Disagreement>('equal', 'linear'),
  }),
);

test('Cohen: the same whoever comes first, in any order, with the scale turned round; a weight is so many items', () => {
  fc.assert(
    fc.property(ratings, ({ categories, pairs, disagreement }) => {
      const kappa = (given: readonly (readonly number[])[]) =>
        cohensKappa(
          given.map(([a]) => a),
          given.map(([, b]) => b),
          categories,
          disagreement,
        )(Float64Array.from(given, ([, , weight]) => weight));
      const same = (other: readonly (readonly number[])[]) => {
        const [expected, found] = [kappa(pairs), kappa(other)];
        if (expected === null || found === null) expect(found).toBe(expected);
        else expect(found).toBeCloseTo(expected, 12);
      };
      same(pairs.map(([a, b, weight]) => [b, a, weight]));
      same(pairs.toReversed());
      same(pairs.map(([a, b, weight]) => [categories - 1 - a, categories - 1 - b, weight]));
      same(pairs.flatMap(([a, b, weight]) => new Array(weight).fill([a, b, 1])));
      const value = kappa(pairs);
      if (value !== null) expect(value).toBeLessThanOrEqual(1);
      // Of one mind throughout, and with more than one answer.
      const agreed = pairs.map(([a]) => a);
      if (new Set(agreed).size > 1) expect(cohen(agreed, agreed, categories, disagreement)).toBe(1);
    }),
  );
});

const spearmanOf = (xs: readonly number[], ys: readonly number[]) => spearman(xs, ys)(once(xs.length));

test('Pearson as the documentation of scipy.stats.pearsonr has it, and of the first of Anscombe’s quartet', () => {
  expect(pearson([1, 2, 3, 4, 5, 6, 7], [10, 9, 2.5, 6, 4, 3, 2])).toBeCloseTo(-0.828503883588428, 13);
  const x = [10, 8, 13, 9, 11, 14, 6, 4, 12, 7, 5];
  const y = [8.04, 6.95, 7.58, 8.81, 8.33, 9.96, 7.24, 4.26, 10.84, 4.82, 5.68];
  expect(pearson(x, y)).toBeCloseTo(0.81642051634484, 13);
});

test('Spearman with ties as the documentation of scipy.stats.spearmanr has it; without, as 1 - 6 sum d^2 / n(n^2-1)', () => {
  expect(spearmanOf([1, 2, 3, 4, 5], [5, 6, 7, 8, 7])).toBeCloseTo(0.8207826816681233, 13);
  const iq = [106, 100, 86, 101, 99, 103, 97, 113, 112, 110];
  const hours = [7, 27, 2, 50, 28, 29, 20, 12, 6, 17];
  expect(spearmanOf(iq, hours)).toBeCloseTo(-29 / 165, 13);
});

const point = fc.record({ x: fc.integer({ min: 0, max: 5 }), y: fc.integer({ min: 0, max: 5 }), weight: fc.nat(3) });

test('weights count as pairs written out do', () => {
  fc.assert(
    fc.property(fc.array(point, { maxLength: 12 }), (points) => {
      const written = points.flatMap((each) => Array.from({ length: each.weight }, () => each));
      const [xs, ys, weights] = [
        points.map(({ x }) => x),
        points.map(({ y }) => y),
        points.map(({ weight }) => weight),
      ];
      const [allX, allY] = [written.map(({ x }) => x), written.map(({ y }) => y)];
      const pairs = [
        [pearson(xs, ys, weights), pearson(allX, allY)],
        [spearman(xs, ys)(Float64Array.from(weights)), spearmanOf(allX, allY)],
      ];
      for (const [weighted, plain] of pairs) {
        if (plain === null) expect(weighted).toBeNull();
        else expect(weighted).toBeCloseTo(plain, 10);
      }
    }),
  );
});

test('what does not vary has no correlation, not even by rounding', () => {
  expect(pearson([0.1, 0.1, 0.1], [1, 2, 3])).toBeNull();
  expect(pearson([1, 2, 3], [0.7, 0.7, 0.7])).toBeNull();
  expect(pearson([1, 2], [1, 5], [1, 0])).toBeNull();
  expect(pearson([], [])).toBeNull();
  expect(spearmanOf([3], [4])).toBeNull();
});

/** Counts by category of the ratings of each unit; null for a missing one. Rows are observers. */
const countsOf = (rows: readonly (readonly (number | null)[])[], categories: number) =>
  rows[0].map((_, unit) =>
    Array.from({ length: categories }, (_, level) => rows.filter((row) => row[unit] === level).length),
  );
const alpha = (rows: readonly (readonly (number | null)[])[], categories: number, disagreement?: Disagreement) =>
  krippendorffAlpha(countsOf(rows, categories), disagreement)(once(rows[0].length));

test('Krippendorff’s alpha, nominal and interval, as his “Computing Krippendorff’s alpha-reliability” (2011) has it', () => {
  const _ = null;
  // Sections C and F: 4 observers, 12 units, 5 values, some missing.
  const observers = [
    [0, 1, 2, 2, 1, 0, 3, 0, 1, _, _, _],
    [0, 1, 2, 2, 1, 1, 3, 0, 1, 4, _, 2],
    [_, 2, 2, 2, 1, 2, 3, 1, 1, 4, 0, _],
    [0, 1, 2, 2, 1, 3, 3, 0, 1, 4, 0, _],
  ];
  expect(alpha(observers, 5)).toBeCloseTo(0.743, 3);
  expect(alpha(observers, 5, 'linear')).toBeCloseTo(0.849, 3);
  // Section A: 2 observers, 10 units, yes or no.
  const meg = [0, 1, 0, 0, 0, 0, 0, 0, 1, 0];
  expect(alpha([meg, [1, 1, 1, 0, 0, 1, 0, 0, 0, 0]], 2)).toBeCloseTo(0.095, 3);
  expect([alpha([meg, meg], 2), alpha([meg, meg.map((level) => 1 - level)], 2)]).toEqual([1, expect.any(Number)]);
  const none = [
    [],
    [[0, 1]],
    [
      [3, 0],
      [2, 0],
    ],
  ].map((counts) => krippendorffAlpha(counts)(once(counts.length)));
  expect(none).toEqual([null, null, null]);
});

test('of two raters alpha is Scott’s pi less its bias; of any it is that of all pairs of values, and a unit counts as often as it is drawn', () => {
  const level = fc.nat(3);
  fc.assert(
    fc.property(fc.array(fc.tuple(level, level), { minLength: 2, maxLength: 12 }), (pairs) => {
      const n = pairs.length;
      const share = [0, 1, 2, 3].map((each) => pairs.flat().filter((one) => one === each).length / (2 * n));
      const chance = share.reduce((sum, each) => sum + each * each, 0);
      fc.pre(chance < 1);
      const pi = (pairs.filter(([a, b]) => a === b).length / n - chance) / (1 - chance);
      expect(
        alpha(
          [0, 1].map((rater) => pairs.map((pair) => pair[rater])),
          4,
        ),
      ).toBeCloseTo(pi + (1 - pi) / (2 * n), 10);
    }),
  );
  const unit = fc.array(fc.option(level), { minLength: 3, maxLength: 3 });
  fc.assert(
    fc.property(fc.array(fc.tuple(unit, fc.nat(2)), { minLength: 1, maxLength: 6 }), (drawn) => {
      // Each unit as often as it is drawn, and every pair of values written out.
      const units = drawn
        .flatMap(([values, times]) => new Array<(number | null)[]>(times).fill(values))
        .map((values) => values.filter((each) => each !== null))
        .filter((values) => values.length > 1);
      const apart = (values: readonly number[], weight: number) =>
        values.flatMap((a) => values.map((b) => weight * (a - b) ** 2)).reduce((sum, each) => sum + each, 0);
      const all = units.flat();
      const observed = units.reduce((sum, values) => sum + apart(values, 1 / (values.length - 1)), 0) / all.length;
      const expected = apart(all, 1 / (all.length * (all.length - 1)));
      const counts = drawn.map(([values]) => [0, 1, 2, 3].map((each) => values.filter((one) => one === each).length));
      const found = krippendorffAlpha(counts, 'linear')(Float64Array.from(drawn, ([, times]) => times));
      if (expected > 0) expect(found).toBeCloseTo(1 - observed / expected, 9);
      else expect(found).toBeNull();
    }),
  );
});
