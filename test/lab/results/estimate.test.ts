import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bootstrapInterval, estimateMean, quantile, weightedMean } from '../../../src/lab/results/estimate.ts';
import { seededRandom } from '../../../src/selection/index.ts';

test('quantiles are those that numpy.percentile finds', () => {
  // numpy.percentile([1, 2, 3, 4], [0, 25, 50, 97.5, 100])
  expect([0, 0.25, 0.5, 0.975, 1].map((share) => quantile([1, 2, 3, 4], share))).toEqual([1, 1.75, 2.5, 3.925, 4]);
  expect(quantile([7], 0.3)).toBe(7);
});

test('the interval of a mean is that of the normal distribution, where there are many records', () => {
  const random = seededRandom(5);
  const values = Array.from({ length: 600 }, () => 100 * random());
  const mean = values.reduce((a, b) => a + b) / values.length;
  const deviation = Math.sqrt(values.reduce((sum, each) => sum + (each - mean) ** 2, 0) / values.length);
  const half = (1.96 * deviation) / Math.sqrt(values.length);
  const found = estimateMean(
    values,
    values.map((_, index) => String(index)),
  );
  expect(found.value).toBeCloseTo(mean, 10);
  expect(found.low).toBeGreaterThan(mean - 1.08 * half);
  expect(found.low).toBeLessThan(mean - 0.92 * half);
  expect(found.high).toBeGreaterThan(mean + 0.92 * half);
  expect(found.high).toBeLessThan(mean + 1.08 * half);
});

test('what comes together is drawn together: three copies of each record make no interval narrower', () => {
  const values = [10, 30, 20, 80, 55, 40, 90, 5];
  const names = values.map((_, index) => String(index));
  const once = estimateMean(values, names);
  const thrice = estimateMean(
    values.flatMap((value) => [value, value, value]),
    names.flatMap((name) => [name, name, name]),
  );
  expect(thrice.low).toBeCloseTo(once.low ?? Number.NaN, 10);
  expect(thrice.high).toBeCloseTo(once.high ?? Number.NaN, 10);
  const apart = estimateMean(
    values.flatMap((value) => [value, value, value]),
    names.flatMap((name) => [`${name}a`, `${name}b`, `${name}c`]),
  );
  expect((apart.high ?? 0) - (apart.low ?? 0)).toBeLessThan((once.high ?? 0) - (once.low ?? 0));
});

test('too few clusters, or a statistic that is hardly ever there, have no interval', () => {
  expect(estimateMean([4, 6], ['same', 'same'])).toEqual({ value: 5, low: null, high: null, n: 2 });
  expect(estimateMean([null, null], ['a', 'b'])).toEqual({ value: null, low: null, high: null, n: 0 });
  expect(estimateMean([], [])).toEqual({ value: null, low: null, high: null, n: 0 });
  expect(bootstrapInterval(['a', 'b', 'c'], (weights) => (weights[0] === 3 ? 1 : null))).toBeNull();
});

test('intervals hold the resampled means, are the same every time, and move and stretch with the values', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 100 }), { minLength: 2, maxLength: 12 }), (values) => {
      const names = values.map((_, index) => `r${index}`);
      const found = estimateMean(values, names);
      expect(estimateMean(values, names)).toEqual(found);
      const moved = estimateMean(
        values.map((value) => 2 * value + 3),
        names,
      );
      const { value, low, high } = found;
      if (value === null || low === null || high === null) throw new Error('no interval');
      expect(low).toBeGreaterThanOrEqual(Math.min(...values));
      expect(high).toBeLessThanOrEqual(Math.max(...values));
      expect(low).toBeLessThanOrEqual(high);
      expect(moved.value).toBeCloseTo(2 * value + 3, 9);
      expect(moved.low).toBeCloseTo(2 * low + 3, 9);
      expect(moved.high).toBeCloseTo(2 * high + 3, 9);
    }),
    { numRuns: 20 },
  );
});

test('a weighted mean is that of values written out as often as they count', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.integer({ min: -9, max: 9 }), fc.nat(4)), { maxLength: 8 }), (pairs) => {
      const written = pairs.flatMap(([value, weight]) => Array.from({ length: weight }, () => value));
      const mean = weightedMean(
        pairs.map(([value]) => value),
        pairs.map(([, weight]) => weight),
      );
      if (written.length === 0) expect(mean).toBeNull();
      else expect(mean).toBeCloseTo(written.reduce((a, b) => a + b) / written.length, 10);
    }),
  );
});
