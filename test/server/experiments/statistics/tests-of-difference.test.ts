import fc from 'fast-check';
import { expect, test } from 'vitest';
import { around } from '../../../../src/server/experiments/statistics/around.ts';
import { criticalValue } from '../../../../src/server/experiments/statistics/critical-value.ts';
import { meanEstimate } from '../../../../src/server/experiments/statistics/mean-estimate.ts';
import { liftInterval, relativeLift } from '../../../../src/server/experiments/statistics/relative-lift.ts';
import { chiSquareTail } from '../../../../src/server/experiments/statistics/sample-ratio.ts';
import { twoProportionZ } from '../../../../src/server/experiments/statistics/two-proportion-z.ts';
import { valueMoments } from '../../../../src/server/experiments/statistics/value-moments.ts';
import { welchTest } from '../../../../src/server/experiments/statistics/welch-test.ts';
import { sumsOf } from './sums-of.ts';

// Reference values: python3 test/server/experiments/statistics/references.py, unless another source is named.
const SLEEP = {
  control: [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0],
  treated: [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4],
};
const GROWTHBOOK = [
  { n: 3407, mean: 0.41, variance: 3.9 ** 2 / 3407 },
  { n: 3461, mean: 0.7, variance: 6.2 ** 2 / 3461 },
] as const;

function of<T>(value: T | null): T {
  if (value === null) throw new Error('There is nothing.');
  return value;
}
const estimate = (xs: readonly number[]) => of(meanEstimate(valueMoments(xs.length, sumsOf(xs)), false));
const share = (conversions: number, n: number) => ({ n, mean: conversions / n, variance: 0 });

test('Welch as R has it for Student’s sleep data: t = -1.8608, df = 17.776, p = 0.07939, -3.3654832 to 0.2054832', () => {
  const [a, b] = [estimate(SLEEP.control), estimate(SLEEP.treated)];
  const { statistic, degreesOfFreedom, p } = of(welchTest(a, b));
  expect(statistic).toBeCloseTo(1.8608134674868531, 12);
  expect(degreesOfFreedom).toBeCloseTo(17.776473516178488, 10);
  expect(p).toBeCloseTo(0.079394140187358575, 10);
  const half = criticalValue(0.05, degreesOfFreedom) * Math.sqrt(a.variance + b.variance);
  const { low, high } = around(b.mean - a.mean, half);
  expect(low).toBeCloseTo(-0.20548323071141539, 8);
  expect(high).toBeCloseTo(3.3654832307114155, 8);
});

test('Welch and the lift as GrowthBook tests them: 0.70732 with error 0.37879, -0.03526 to 1.44989', () => {
  const [a, b] = GROWTHBOOK;
  const { statistic, degreesOfFreedom, p } = of(welchTest(a, b));
  expect(statistic).toBeCloseTo(2.3240227609215203, 12);
  expect(degreesOfFreedom).toBeCloseTo(5841.7420320935644, 7);
  expect(p).toBeCloseTo(0.020158402643592595, 10);
  expect(relativeLift(a.mean, b.mean)).toBeCloseTo(0.70731707317073167, 12);
  const interval = of(liftInterval(a, b, criticalValue(0.05, degreesOfFreedom)));
  expect(interval.low).toBeCloseTo(-0.035260089066032285, 8);
  expect(interval.high).toBeCloseTo(1.4498942354074957, 8);
});

test('the degrees of freedom lie between those of the smaller arm and of both', () => {
  const arm = fc.record({ n: fc.integer({ min: 2, max: 500 }), mean: fc.constant(0), variance: fc.nat(1000) });
  fc.assert(
    fc.property(arm, arm, (a, b) => {
      const tested = welchTest(a, b);
      if (tested === null) {
        expect(a.variance + b.variance).toBe(0);
        return;
      }
      expect(tested.degreesOfFreedom).toBeGreaterThanOrEqual(Math.min(a.n, b.n) - 1 - 1e-9);
      expect(tested.degreesOfFreedom).toBeLessThanOrEqual(a.n + b.n - 2 + 1e-9);
    }),
  );
});

test.each([
  [400, 500, 490, 500, 9.0960149093913216, 9.3707131341218176e-20],
  [300, 1000, 345, 1010, 1.9968270408146633, 0.045843975014686227],
])('shares of %d of %d and %d of %d: z and p', (xa, na, xb, nb, z, expected) => {
  const { statistic, p, degreesOfFreedom } = of(twoProportionZ(share(xa, na), share(xb, nb)));
  expect(statistic).toBeCloseTo(z, 10);
  expect(Math.abs(p / expected - 1)).toBeLessThan(1e-9);
  expect(degreesOfFreedom).toBeNull();
});

test('the pooled z is the root of Pearson’s chi-square of the table, as prop.test of R without correction', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 99 }), fc.integer({ min: 0, max: 120 }), (xa, xb) => {
      const [na, nb] = [100, 120];
      const cells = [
        [xa, ((xa + xb) * na) / 220],
        [na - xa, ((220 - xa - xb) * na) / 220],
        [xb, ((xa + xb) * nb) / 220],
        [nb - xb, ((220 - xa - xb) * nb) / 220],
      ];
      const square = cells.reduce((sum, [seen, due]) => sum + (seen - due) ** 2 / due, 0);
      const { statistic, p } = of(twoProportionZ(share(xa, na), share(xb, nb)));
      expect(statistic ** 2).toBeCloseTo(square, 8);
      expect(p).toBeCloseTo(chiSquareTail(square, 1), 10);
      expect(of(twoProportionZ(share(xb, nb), share(xa, na))).statistic).toBeCloseTo(-statistic, 10);
    }),
  );
});

test('the interval of the lift is what the distribution of both means makes of it', () => {
  const [a, b] = [
    { n: 900, mean: 10, variance: 0.0004 },
    { n: 900, mean: 10.5, variance: 0.0005 },
  ];
  const interval = of(liftInterval(a, b, criticalValue(0.05, null)));
  // Quantiles of both means, paired each with each, in place of draws.
  const quantiles = Array.from(
    { length: 200 },
    (_, i) => (i < 100 ? 1 : -1) * criticalValue((2 * (i % 100) + 1) / 200, null),
  );
  const lifts = quantiles
    .flatMap((qa) =>
      quantiles.map((qb) => (b.mean + qb * Math.sqrt(b.variance)) / (a.mean + qa * Math.sqrt(a.variance)) - 1),
    )
    .sort((x, y) => x - y);
  expect(interval.low).toBeCloseTo(lifts[0.025 * lifts.length], 4);
  expect(interval.high).toBeCloseTo(lifts[0.975 * lifts.length], 4);
});

test('nothing to measure by: no test instead of NaN', () => {
  const flat = { n: 50, mean: 3, variance: 0 };
  expect(welchTest(flat, { ...flat, mean: 4 })).toBeNull();
  expect(twoProportionZ(share(0, 50), share(0, 40))).toBeNull();
  expect(twoProportionZ(share(50, 50), share(40, 40))).toBeNull();
  expect(relativeLift(0, 3)).toBeNull();
  expect(liftInterval({ n: 9, mean: 0, variance: 1 }, flat, 2)).toBeNull();
});

test('a control below 0 that rises has a positive lift', () => {
  expect(relativeLift(-4, -3)).toBe(0.25);
  const interval = of(liftInterval({ n: 9, mean: -4, variance: 0.01 }, { n: 9, mean: -3, variance: 0.01 }, 2));
  expect(interval.low).toBeGreaterThan(0.1);
  expect((interval.low + interval.high) / 2).toBeCloseTo(0.25, 12);
});

test('there is no interval of the lift where the control may be 0', () => {
  const treatment = { n: 9, mean: 3, variance: 0.01 };
  expect(liftInterval({ n: 9, mean: 0.2, variance: 0.01 }, treatment, 2.01)).toBeNull();
  expect(liftInterval({ n: 9, mean: 0.2, variance: 0.01 }, treatment, 1.99)).not.toBeNull();
});
