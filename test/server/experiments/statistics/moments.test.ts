import fc from 'fast-check';
import { expect, test } from 'vitest';
import { meanEstimate } from '../../../../src/server/experiments/statistics/mean-estimate.ts';
import { ratioMoments } from '../../../../src/server/experiments/statistics/ratio-moments.ts';
import { valueMoments } from '../../../../src/server/experiments/statistics/value-moments.ts';
import { sumsOf } from './sums-of.ts';

const values = fc.array(fc.double({ min: -1000, max: 1000, noNaN: true }), { minLength: 2, maxLength: 30 });

test('mean and variance are those of the subjects one by one', () => {
  fc.assert(
    fc.property(values, (xs) => {
      const { mean, variance } = valueMoments(xs.length, sumsOf(xs));
      const centre = xs.reduce((sum, x) => sum + x, 0) / xs.length;
      const spread = xs.reduce((sum, x) => sum + (x - centre) ** 2, 0) / (xs.length - 1);
      expect(mean).toBeCloseTo(centre, 9);
      expect(Math.abs((variance ?? Number.NaN) - spread)).toBeLessThan(1e-9 * (1 + spread + centre * centre));
    }),
  );
});

test('subjects without an outcome count as 0', () => {
  expect(valueMoments(5, sumsOf([3, 4, 8]))).toEqual(valueMoments(5, sumsOf([3, 4, 8, 0, 0])));
  expect(valueMoments(4, sumsOf([2, 2]))).toEqual({ n: 4, mean: 1, variance: 4 / 3 });
});

test('the variance of a ratio is that of x less r y, one by one, and the three-term form of the delta method', () => {
  const pair = fc.tuple(fc.integer({ min: -50, max: 200 }), fc.integer({ min: 1, max: 40 }));
  fc.assert(
    fc.property(fc.array(pair, { minLength: 2, maxLength: 30 }), (pairs) => {
      const [xs, ys] = [pairs.map(([x]) => x), pairs.map(([, y]) => y)];
      const n = pairs.length;
      const { mean, variance } = ratioMoments(n, sumsOf(xs, ys));
      const sums = sumsOf(xs, ys);
      const [mx, my, r] = [sums.x / n, sums.y / n, sums.x / sums.y];
      const covariance = (a: readonly number[], ma: number, b: readonly number[], mb: number) =>
        a.reduce((sum, value, i) => sum + (value - ma) * (b[i] - mb), 0) / (n - 1);
      const [sxx, sxy, syy] = [covariance(xs, mx, xs, mx), covariance(xs, mx, ys, my), covariance(ys, my, ys, my)];
      expect(mean).toBeCloseTo(r, 12);
      expect(variance).toBeCloseTo((sxx - 2 * r * sxy + r * r * syy) / my ** 2, 6);
      const residuals = xs.map((x, i) => (x - r * ys[i]) / my);
      const oneByOne = residuals.reduce((sum, e) => sum + e * e, 0) / (n - 1);
      expect(variance).toBeCloseTo(oneByOne, 6);
    }),
  );
});

test('a ratio with all denominators 1 is a mean', () => {
  const xs = [1, 5, 2, 8, 9.5];
  const ratio = ratioMoments(
    5,
    sumsOf(
      xs,
      xs.map(() => 1),
    ),
  );
  const plain = valueMoments(5, sumsOf(xs));
  expect(ratio.mean).toBe(plain.mean);
  expect(ratio.variance).toBeCloseTo(plain.variance ?? Number.NaN, 12);
});

test('equal values have no variance, not even by rounding, and it is never negative', () => {
  fc.assert(
    fc.property(fc.double({ min: 1e-6, max: 1e9, noNaN: true }), fc.integer({ min: 2, max: 200 }), (value, n) => {
      const same = Array.from({ length: n }, () => value);
      expect(valueMoments(n, sumsOf(same)).variance).toBe(0);
      const ys = same.map((_, i) => (i % 7) + 1);
      const xs = ys.map((y) => y * value);
      expect(ratioMoments(n, sumsOf(xs, ys)).variance).toBe(0);
    }),
  );
  expect(valueMoments(3, { x: 3, xx: 2.9 }).variance).toBe(0);
});

test('none, one and too large: null instead of NaN', () => {
  const none = { x: 0, xx: 0, y: 0, yy: 0, xy: 0 };
  expect(valueMoments(0, none)).toEqual({ n: 0, mean: null, variance: null });
  expect(valueMoments(1, sumsOf([3]))).toEqual({ n: 1, mean: 3, variance: null });
  expect(ratioMoments(0, none)).toEqual({ n: 0, mean: null, variance: null });
  expect(ratioMoments(9, none)).toEqual({ n: 9, mean: null, variance: null });
  expect(ratioMoments(1, sumsOf([3], [2]))).toEqual({ n: 1, mean: 1.5, variance: null });
  expect(ratioMoments(2, { ...sumsOf([3, 1], [1, -1]), y: 0 }).mean).toBeNull();
  expect(valueMoments(2, sumsOf([1e200, 0])).variance).toBeNull();
  expect(valueMoments(2, sumsOf([1e308, 1e308]))).toEqual({ n: 2, mean: null, variance: null });
});

test('a share varies by p (1 - p), a mean by its variance over n', () => {
  expect(meanEstimate({ n: 10, mean: 0.3, variance: 99 }, true)).toEqual({ n: 10, mean: 0.3, variance: 0.21 / 10 });
  expect(meanEstimate({ n: 10, mean: 0.3, variance: 99 }, false)).toEqual({ n: 10, mean: 0.3, variance: 9.9 });
  expect(meanEstimate({ n: 1, mean: 0.3, variance: null }, false)).toBeNull();
});
