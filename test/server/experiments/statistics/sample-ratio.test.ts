import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sampleRatio } from '../../../../src/server/experiments/statistics/sample-ratio.ts';

test('as the documentation of scipy.stats.chisquare has it: 2.0 and 0.84914503608460956', () => {
  const even = Array.from({ length: 6 }, () => 1 / 6);
  const { statistic, p, mismatch } = sampleRatio([16, 18, 16, 14, 12, 12], even);
  expect(statistic).toBeCloseTo(2, 12);
  expect(p).toBeCloseTo(0.8491450360846096, 12);
  expect(mismatch).toBe(false);
});

test('Kohavi, Tang & Xu 2020, chapter 21: 821,588 against 815,482 subjects come by chance less than once in 500,000', () => {
  const { statistic, p, mismatch } = sampleRatio([821_588, 815_482], [0.5, 0.5]);
  expect(statistic).toBeCloseTo((821_588 - 815_482) ** 2 / (821_588 + 815_482), 9);
  expect(p).toBeCloseTo(1.8e-6, 7);
  expect(mismatch).toBe(true);
});

test('the limit is p < 0.001', () => {
  // Chi-square of 10.8276 at one degree of freedom.
  expect(sampleRatio([5164, 4836], [0.5, 0.5]).mismatch).toBe(false);
  expect(sampleRatio([5165, 4835], [0.5, 0.5]).mismatch).toBe(true);
});

test('does not depend on the order of the arms', () => {
  const arm = fc.tuple(fc.nat(1000), fc.integer({ min: 1, max: 50 }));
  fc.assert(
    fc.property(fc.array(arm, { minLength: 2, maxLength: 6 }), (arms) => {
      const total = arms.reduce((sum, [, weight]) => sum + weight, 0);
      const run = (list: typeof arms) =>
        sampleRatio(
          list.map(([count]) => count),
          list.map(([, weight]) => weight / total),
        );
      const [one, other] = [run(arms), run(arms.toReversed())];
      expect(one.mismatch).toBe(other.mismatch);
      expect(one.p === null).toBe(other.p === null);
      expect(one.p ?? 0).toBeCloseTo(other.p ?? 0, 9);
      expect(Number.isNaN(one.statistic)).toBe(false);
    }),
  );
});

test('arms that expect fewer than 10 are counted together', () => {
  const few = sampleRatio([430, 452, 8, 10], [0.49, 0.49, 0.01, 0.01]);
  const together = sampleRatio([430, 452, 18], [0.49, 0.49, 0.02]);
  expect(few.p).toBeCloseTo(together.p ?? 0, 12);
});

test('too few to tell is no mismatch, anyone in an arm of weight 0 is one', () => {
  const untold = { statistic: null, p: null, mismatch: false };
  expect(sampleRatio([0, 0], [0.5, 0.5])).toEqual(untold);
  expect(sampleRatio([19, 0], [0.5, 0.5])).toEqual(untold);
  expect(sampleRatio([20, 0], [0.5, 0.5]).mismatch).toBe(true);
  expect(sampleRatio([500, 0], [1, 0])).toEqual(untold);
  expect(sampleRatio([500, 1], [1, 0])).toEqual({ statistic: null, p: 0, mismatch: true });
});
