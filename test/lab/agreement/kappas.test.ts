import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  agreeingPairs,
  cohensKappa,
  type Disagreement,
  freeMarginalKappa,
} from '../../../src/lab/agreement/agreement-of.ts';

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

test('Cohen’s kappa as scikit-learn 1.9.1 has it', () => {
  // cohen_kappa_score(a, b), and with weights='linear', labels=[0, 1, 2]
  const a = [0, 1, 2, 2, 1, 0, 2, 1, 1, 0, 2, 2];
  const b = [0, 1, 1, 2, 1, 1, 2, 0, 1, 0, 2, 0];
  expect(cohen(a, b, 3)).toBeCloseTo(0.5051546391752577, 13);
  expect(cohen(a, b, 3, 'linear')).toBeCloseTo(0.5238095238095238, 13);
  // The middle of the scale is never used.
  expect(cohen([0, 2, 2, 0, 2], [0, 2, 0, 0, 2], 3, 'linear')).toBeCloseTo(0.6153846153846154, 13);
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

test('items may have any number of ratings; those with fewer than two count for nothing', () => {
  // Python, pairs of itertools.combinations: P_o = 0.4583333333333333, kappa 0.1875.
  const counts = [
    [2, 1, 0],
    [0, 2, 0],
    [1, 0, 1],
    [0, 1, 3],
    [0, 1, 0],
    [0, 0, 0],
  ];
  expect(free(counts, 3)).toBeCloseTo(0.1875, 13);
  expect([agreeingPairs([0, 1, 0]), agreeingPairs([0, 0, 0])]).toEqual([null, null]);
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

test('free-marginal: 1 where all agree, and by hand with two raters', () => {
  fc.assert(
    fc.property(ratings, ({ categories, pairs }) => {
      const counted = (a: number, b: number) =>
        Array.from({ length: categories }, (_, level) => Number(a === level) + Number(b === level));
      const kappa = free(
        pairs.map(([a, b]) => counted(a, b)),
        categories,
      );
      const agreeing = pairs.filter(([a, b]) => a === b).length / pairs.length;
      expect(kappa).toBeCloseTo((agreeing * categories - 1) / (categories - 1), 12);
      expect(
        free(
          pairs.map(([a]) => counted(a, a)),
          categories,
        ),
      ).toBe(1);
    }),
  );
});
