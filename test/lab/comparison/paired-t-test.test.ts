import fc from 'fast-check';
import { expect, test } from 'vitest';
import { pairedTTest } from '../../../src/lab/comparison/comparison-report.ts';

// Student's sleep data, as in R: t.test(extra ~ group, data = sleep, paired = TRUE) says t = -4.0621, df = 9, p = 0.002833.
const FIRST = [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0, 2];
const SECOND = [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4];

/** Two-sided, by Simpson's rule over t = sqrt(df) tan(u), where the density becomes a power of the cosine. */
function integrated(t: number, df: number): number {
  const [from, to, steps] = [Math.atan(Math.abs(t) / Math.sqrt(df)), Math.PI / 2, 20_000];
  const simpson = (low: number) => {
    const step = (to - low) / steps;
    const at = (place: number) => Math.max(0, Math.cos(low + place * step)) ** (df - 1);
    let sum = at(0) + at(steps);
    for (let place = 1; place < steps; place++) sum += (place % 2 === 0 ? 2 : 4) * at(place);
    return (sum * step) / 3;
  };
  return simpson(from) / simpson(0);
}

test('equals what R gives for the sleep data, and the integral of the density', () => {
  const { statistic, degreesOfFreedom, p } = pairedTTest(FIRST.map((value, place) => value - SECOND[place]));
  expect(statistic).toBeCloseTo(-4.062127683382037, 10);
  expect(degreesOfFreedom).toBe(9);
  expect(p).toBeCloseTo(0.0028328901973843, 10);
  expect(p).toBeCloseTo(integrated(-4.062127683382037, 9), 9);
});

test('far tails are right', () => {
  const { statistic, p } = pairedTTest([0.31, 0.28, 0.35, 0.3, 0.29, 0.33, 0.27, 0.32]);
  expect(statistic).toBeCloseTo(32.451042748093585, 9);
  // By the integral above in Python's floats.
  expect((p ?? 0) / 6.826882010403636e-9).toBeCloseTo(1, 6);
});

test('neither the order nor the unit of the differences matters, and their sign only turns the statistic', () => {
  const several = fc.array(fc.integer({ min: -1000, max: 1000 }), { minLength: 3, maxLength: 12 });
  fc.assert(
    fc.property(several, fc.constantFrom(2, 0.5, -1), (values, unit) => {
      const one = pairedTTest(values);
      expect(pairedTTest(values.toReversed())).toEqual(one);
      const other = pairedTTest(values.map((value) => unit * value));
      if (one.statistic === null) expect(other.statistic).toBeNull();
      else expect(other.statistic).toBeCloseTo(Math.sign(unit) * one.statistic, 9);
      expect(other.p ?? -1).toBeCloseTo(one.p ?? -1, 9);
    }),
  );
});

test('differences that do not vary, and fewer than two, tell nothing', () => {
  expect(pairedTTest([])).toEqual({ statistic: null, degreesOfFreedom: null, p: null });
  expect(pairedTTest([3])).toEqual({ statistic: null, degreesOfFreedom: null, p: null });
  expect(pairedTTest([0, 0, 0])).toEqual({ statistic: null, degreesOfFreedom: 2, p: null });
  // 0.1 three times over has a variance by rounding alone.
  expect(pairedTTest([0.1, 0.1, 0.1])).toEqual({ statistic: null, degreesOfFreedom: 2, p: null });
  expect(pairedTTest([0.3 - 0.2, 0.1, 0.4 - 0.3]).p).toBeNull();
});
