import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  alwaysValidP,
  criticalValue,
  enoughSubjects,
  guardrailVerdict,
  liftInterval,
  meanEstimate,
  ratioMoments,
  relativeLift,
  sampleRatio,
  sampleSize,
  sequentialCritical,
  twoProportionZ,
  valueMoments,
  welchTest,
} from '../../../src/server/experiments/statistics.ts';
import { sumsOf } from './results-fixture.ts';
import { lookOften, lookOnce, UNEVEN, WORLDS } from './simulations.ts';

// Reference values: python3 test/server/experiments/references.py, unless another source is named.
const SLEEP = {
  control: [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0],
  treated: [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4],
};

function of<T>(value: T | null): T {
  if (value === null) throw new Error('There is no value.');
  return value;
}

const estimate = (xs: readonly number[]) => of(meanEstimate(valueMoments(xs.length, sumsOf(xs)), false));
const share = (conversions: number, n: number) => ({ n, mean: conversions / n, variance: 0 });
const arm = (mean: number, variance = 0.0001) => ({ n: 1000, mean, variance });

test('mean, variance and ratio are those of the subjects one by one', () => {
  const pair = fc.tuple(fc.integer({ min: -50, max: 200 }), fc.integer({ min: 1, max: 40 }));
  fc.assert(
    fc.property(fc.array(pair, { minLength: 2, maxLength: 30 }), (pairs) => {
      const [xs, ys] = [pairs.map(([x]) => x), pairs.map(([, y]) => y)];
      const n = pairs.length;
      const sums = sumsOf(xs, ys);
      const [centre, r] = [sums.x / n, sums.x / sums.y];
      const varianceOf = (values: readonly number[]) => values.reduce((sum, e) => sum + e * e, 0) / (n - 1);
      const moments = valueMoments(n, sums);
      expect(moments.mean).toBeCloseTo(centre, 9);
      expect(moments.variance).toBeCloseTo(varianceOf(xs.map((x) => x - centre)), 6);
      const ratio = ratioMoments(n, sums);
      expect(ratio.mean).toBeCloseTo(r, 12);
      expect(ratio.variance).toBeCloseTo(varianceOf(xs.map((x, i) => (x - r * ys[i]) / (sums.y / n))), 6);
    }),
    { numRuns: 50 },
  );
  expect(valueMoments(4, sumsOf([2, 2]))).toEqual({ n: 4, mean: 1, variance: 4 / 3 });
});

test('equal values have no variance, not even by rounding', () => {
  fc.assert(
    fc.property(fc.double({ min: 1e-6, max: 1e9, noNaN: true }), fc.integer({ min: 2, max: 200 }), (value, n) => {
      const same = Array.from({ length: n }, () => value);
      expect(valueMoments(n, sumsOf(same)).variance).toBe(0);
      const ys = same.map((_, i) => (i % 7) + 1);
      expect(
        ratioMoments(
          n,
          sumsOf(
            ys.map((y) => y * value),
            ys,
          ),
        ).variance,
      ).toBe(0);
    }),
    { numRuns: 50 },
  );
  expect(valueMoments(3, { x: 3, xx: 2.9 }).variance).toBe(0);
});

test('too few subjects and overflow give null, not NaN', () => {
  const none = sumsOf([]);
  expect(valueMoments(0, none)).toEqual({ n: 0, mean: null, variance: null });
  expect(valueMoments(1, sumsOf([3]))).toEqual({ n: 1, mean: 3, variance: null });
  expect(valueMoments(2, sumsOf([1e200, 0])).variance).toBeNull();
  expect(valueMoments(2, sumsOf([1e308, 1e308]))).toEqual({ n: 2, mean: null, variance: null });
  expect(ratioMoments(9, none)).toEqual({ n: 9, mean: null, variance: null });
  expect(ratioMoments(1, sumsOf([3], [2]))).toEqual({ n: 1, mean: 1.5, variance: null });
});

test('a share varies by p (1 - p), a mean by its variance over n', () => {
  expect(meanEstimate({ n: 10, mean: 0.3, variance: 99 }, true)).toEqual({ n: 10, mean: 0.3, variance: 0.21 / 10 });
  expect(meanEstimate({ n: 10, mean: 0.3, variance: 99 }, false)).toEqual({ n: 10, mean: 0.3, variance: 9.9 });
  expect(meanEstimate({ n: 10, mean: 0, variance: 0 }, true)?.variance).toBeGreaterThan(0);
  expect(meanEstimate({ n: 1, mean: 0.3, variance: null }, false)).toBeNull();
});

test('Welch as R has it for Student’s sleep data, and as GrowthBook tests it, with its lift', () => {
  const sleep = of(welchTest(estimate(SLEEP.control), estimate(SLEEP.treated)));
  expect(sleep.statistic).toBeCloseTo(1.8608134674868531, 12);
  expect(sleep.degreesOfFreedom).toBeCloseTo(17.776473516178488, 10);
  expect(sleep.p).toBeCloseTo(0.079394140187358575, 10);
  const a = { n: 3407, mean: 0.41, variance: 3.9 ** 2 / 3407 };
  const b = { n: 3461, mean: 0.7, variance: 6.2 ** 2 / 3461 };
  const { degreesOfFreedom, p } = of(welchTest(a, b));
  expect(degreesOfFreedom).toBeCloseTo(5841.7420320935644, 7);
  expect(p).toBeCloseTo(0.020158402643592595, 10);
  expect(relativeLift(a.mean, b.mean)).toBeCloseTo(0.70731707317073167, 12);
  const interval = of(liftInterval(a, b, criticalValue(0.05, degreesOfFreedom)));
  expect(interval.low).toBeCloseTo(-0.035260089066032285, 8);
  expect(interval.high).toBeCloseTo(1.4498942354074957, 8);
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

test('without variance there is no test, and near a control of 0 no interval of the lift', () => {
  const flat = arm(3, 0);
  expect(welchTest(flat, { ...flat, mean: 4 })).toBeNull();
  expect(twoProportionZ(share(0, 50), share(0, 40))).toBeNull();
  expect(twoProportionZ(share(50, 50), share(40, 40))).toBeNull();
  expect(relativeLift(0, 3)).toBeNull();
  expect(liftInterval(arm(0.2, 0.01), arm(3, 0.01), 2.01)).toBeNull();
  expect(liftInterval(arm(0.2, 0.01), arm(3, 0.01), 1.99)).not.toBeNull();
  const rising = of(liftInterval(arm(-4, 0.01), arm(-3, 0.01), 2));
  expect((rising.low + rising.high) / 2).toBeCloseTo(0.25, 12);
});

test.each([
  // Latency may grow by 5%; standard errors of 0.01 each.
  [1, 1.02, 'decrease', 'safe'],
  [1, 1.1, 'decrease', 'breached'],
  [1, 1.04, 'decrease', 'unclear'],
  [1, 1.06, 'decrease', 'unclear'],
  // Coverage may fall by 5%.
  [1, 0.98, 'increase', 'safe'],
  [1, 0.9, 'increase', 'breached'],
  [1, 0.94, 'increase', 'unclear'],
  // The margin of a negative control is relative to its size.
  [-1, -0.98, 'decrease', 'safe'],
  [-1, -0.9, 'decrease', 'breached'],
  // A control at 0 hides no breach.
  [0, 0.4, 'decrease', 'breached'],
] as const)('from %d to %d, if %s is better and 5%% is allowed: %s', (control, treatment, direction, verdict) => {
  expect(guardrailVerdict(arm(control), arm(treatment), { margin: 0.05, direction, critical: 1.96 })).toBe(verdict);
});

test('an arm is large enough with 100 active subjects expected, or 50 of either kind of a share', () => {
  const activity = (n: number, active: number) => ({ n, active });
  expect(enoughSubjects(activity(100, 100), activity(100, 100), false)).toBe(true);
  expect(enoughSubjects(activity(99, 99), activity(2000, 2000), false)).toBe(false);
  expect(enoughSubjects(activity(1000, 119), activity(1000, 80), false)).toBe(false);
  expect(enoughSubjects(activity(1000, 100), activity(1000, 0), true)).toBe(true);
  expect(enoughSubjects(activity(1000, 99), activity(1000, 0), true)).toBe(false);
  expect(enoughSubjects(activity(1000, 1000), activity(1000, 901), true)).toBe(false);
});

test('the split of subjects: scipy.stats.chisquare, Kohavi, Tang & Xu 2020, and the limit of 0.001', () => {
  const even = Array.from({ length: 6 }, () => 1 / 6);
  const scipy = sampleRatio([16, 18, 16, 14, 12, 12], even);
  expect(scipy.statistic).toBeCloseTo(2, 12);
  expect(scipy.p).toBeCloseTo(0.8491450360846096, 12);
  expect(sampleRatio([821_588, 815_482], [0.5, 0.5]).p).toBeCloseTo(1.8e-6, 7);
  expect(sampleRatio([5164, 4836], [0.5, 0.5]).mismatch).toBe(false);
  expect(sampleRatio([5165, 4835], [0.5, 0.5]).mismatch).toBe(true);
  const pooled = sampleRatio([430, 452, 18], [0.49, 0.49, 0.02]);
  expect(sampleRatio([430, 452, 8, 10], [0.49, 0.49, 0.01, 0.01]).p).toBeCloseTo(of(pooled.p), 12);
  expect(sampleRatio([19, 0], [0.5, 0.5])).toEqual({ statistic: null, p: null, mismatch: false });
  expect(sampleRatio([500, 0], [1, 0]).mismatch).toBe(false);
  expect(sampleRatio([500, 1], [1, 0])).toEqual({ statistic: null, p: 0, mismatch: true });
});

test.each([
  [500, 3.8550546335303109],
  [5000, 3.0352089903762534],
  [100_000, 3.3368575337865996],
])('at %d subjects the sequence reaches %d standard errors, where its p-value is alpha', (subjects, width) => {
  expect(sequentialCritical(subjects, 0.05)).toBeCloseTo(width, 10);
  for (const alpha of [0.001, 0.05, 0.5]) {
    const edge = sequentialCritical(subjects, alpha);
    expect(alwaysValidP(edge, subjects, alpha)).toBeCloseTo(alpha, 10);
    expect(alwaysValidP(-edge, subjects, alpha)).toBeCloseTo(alpha, 10);
    expect(edge).toBeGreaterThan(criticalValue(alpha, null));
  }
  expect(alwaysValidP(0, subjects, 0.05)).toBe(1);
});

// The first two by references.py, the third is example 3.2.4 of Chow, Shao & Wang.
test.each([
  [0.05, 0.3 * 0.7, 0.35 * 0.65, 1, { control: 1374, treatment: 1374 }],
  [0.01, 0.1 * 0.9, 0.11 * 0.89, 1, { control: 14_749, treatment: 14_749 }],
  [0.05, 0.01, 0.01, 1, { control: 63, treatment: 63 }],
  [0.05, 0.01, 0.01, 3, { control: 126, treatment: 42 }],
])(
  'a difference of %d with variances %d and %d takes',
  (difference, controlVariance, treatmentVariance, controlShare, n) => {
    expect(sampleSize({ difference, controlVariance, treatmentVariance, controlShare }, 0.05)).toEqual(n);
  },
);

// Smaller than test/bench/experiments-simulation.ts, whose figures are in docs/decisions/experiment-statistics.md.
test.each(Object.entries(WORLDS))('4 to 6%% of A/A tests of a %s find a difference at one look', (_, world) => {
  const { rejected, covered } = lookOnce(world, { subjects: 200, runs: 2500, seed: 8 });
  expect(rejected).toBeGreaterThan(0.04);
  expect(rejected).toBeLessThan(0.06);
  expect(covered).toBeGreaterThan(0.94);
});

test('over 100 looks at most 5% find a difference by the sequential interval, and many more by the fixed one', () => {
  const { fixed, sequential } = lookOften(WORLDS.share, { subjects: 2000, runs: 120, seed: 5 });
  expect(sequential).toBeLessThanOrEqual(0.05);
  expect(fixed).toBeGreaterThan(0.25);
  const uneven = lookOften(UNEVEN['revenue, 5% buy, 90:10'], { subjects: 20_000, runs: 60, seed: 6 });
  expect(uneven.sequential).toBeLessThanOrEqual(0.05);
});

test('intervals of the lift contain the true one 94 to 96% of the time', () => {
  const { liftCovered } = lookOnce({ ...WORLDS.mean, effect: 0.1 }, { subjects: 300, runs: 2500, seed: 10 });
  expect(liftCovered).toBeGreaterThan(0.94);
  expect(liftCovered).toBeLessThan(0.96);
});
