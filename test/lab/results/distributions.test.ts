import fc from 'fast-check';
import { expect, test } from 'vitest';
import { distributionOf, scaleFor } from '../../../src/lab/results/distributions.ts';

const SCALE = { from: 0, to: 10, bins: 5, isCut: false };

test('quantiles and counts, as numpy has them', () => {
  // np.quantile([1, 2, 2, 5, 10, 7], [0, .1, .25, .5, .75, .9, 1]); np.histogram(…, bins=5, range=(0, 10))
  const { n, mean, quantiles, counts } = distributionOf([1, 2, 2, 5, 10, 7], SCALE);
  expect([n, mean]).toEqual([6, 4.5]);
  expect(quantiles).toEqual({ min: 1, p10: 1.5, p25: 2, p50: 3.5, p75: 6.5, p90: 8.5, max: 10 });
  expect(counts).toEqual([1, 2, 1, 1, 1]);
});

test('without values there is nothing to tell', () => {
  const { mean, quantiles, counts } = distributionOf([], SCALE);
  expect(mean).toBeNull();
  expect(new Set(Object.values(quantiles))).toEqual(new Set([null]));
  expect(counts).toEqual([0, 0, 0, 0, 0]);
});

test('a scale is made of round bins and holds every value, or says that it does not', () => {
  expect(scaleFor([37, 80, 12], 10)).toEqual({ from: 0, to: 80, bins: 8, isCut: false });
  expect(scaleFor([0.31], 4)).toEqual({ from: 0, to: 0.4, bins: 4, isCut: false });
  expect(scaleFor([], 4)).toEqual({ from: 0, to: 4, bins: 4, isCut: false });
  expect(scaleFor([100, 110, 120, 27_000], 10)).toMatchObject({ to: 500, isCut: true });
  const lengths = fc.array(fc.integer({ min: 0, max: 5000 }), { minLength: 1, maxLength: 30 });
  fc.assert(
    fc.property(lengths, (values) => {
      const scale = scaleFor(values, 16);
      const most = Math.max(...values);
      expect(scale.isCut).toBe(most > 0 && most > scale.to);
      expect(scale.bins).toBeLessThanOrEqual(16);
      const { counts } = distributionOf(values, scale);
      expect(counts.reduce((a, b) => a + b)).toBe(values.length);
      const width = scale.to / scale.bins;
      const inFirst = values.filter((value) => value < width).length;
      expect(counts[0]).toBe(scale.bins === 1 ? values.length : inFirst);
    }),
  );
});
