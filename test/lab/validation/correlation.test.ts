import fc from 'fast-check';
import { expect, test } from 'vitest';
import { pearson, ranking, spearman } from '../../../src/lab/validation/correlation.ts';

const once = (values: ArrayLike<number>) => new Float64Array(values.length).fill(1);
const spearmanOf = (xs: readonly number[], ys: readonly number[]) => spearman(xs, ys)(once(xs));

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

test('ties share the mean of their ranks', () => {
  expect([...ranking([0.5, 1, 0, 0.5, 0.5])(once([0, 0, 0, 0, 0]))]).toEqual([3, 5, 1, 3, 3]);
  // Written out: 7, 7, 9, 9, 9.
  expect([...ranking([7, 9])([2, 3])]).toEqual([1.5, 4]);
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

test('a correlation stays in [-1, 1], is the same both ways, and does not see shifts and scales', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.integer({ min: 0, max: 9 }), fc.integer({ min: 0, max: 9 }))), (pairs) => {
      const [xs, ys] = [pairs.map(([x]) => x), pairs.map(([, y]) => y)];
      const found = pearson(xs, ys);
      if (found === null) {
        expect(Math.min(new Set(xs).size, new Set(ys).size)).toBeLessThan(2);
        return;
      }
      expect(Math.abs(found)).toBeLessThanOrEqual(1);
      expect(pearson(ys, xs)).toBeCloseTo(found, 12);
      const scaled = xs.map((x) => 3 - 2 * x);
      expect(pearson(scaled, ys)).toBeCloseTo(-found, 12);
      expect(spearmanOf(scaled, ys)).toBeCloseTo(-(spearmanOf(xs, ys) ?? 0), 12);
      expect(
        spearmanOf(
          xs.map((x) => x ** 3),
          ys,
        ),
      ).toBeCloseTo(spearmanOf(xs, ys) ?? 0, 12);
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
