import fc from 'fast-check';
import { expect, test } from 'vitest';
import { quantile } from '../../../src/lab/results/estimate.ts';
import { metricsFor } from '../../../src/lab/results/metrics.ts';
import { pairedTTest, resultOf, type ScoredRun } from '../../../src/lab/results/result.ts';
import { compared, madeBy } from './samples.ts';

interface Order {
  readonly systems?: readonly string[];
  readonly skipped?: readonly string[];
  readonly wanted?: readonly string[] | null;
}

/** The result of some texts against "base". */
function result({ made, failed }: ScoredRun, { systems = ['x', 'base', 'y'], skipped, wanted = null }: Order = {}) {
  const figures = made.map(({ result: { figures: own } }) => own);
  const named = systems.map((name) => ({ name, options: {} }));
  const metrics = metricsFor(figures, wanted);
  const about = { name: 'c', systems: named, baseline: 'base', metrics, skipped, orders: [] };
  return resultOf(about, { made, failed });
}

const MADE = [
  ...madeBy('base', [10, 20, 30, 40]),
  ...madeBy('x', [12, 25, 31, 44]),
  ...madeBy('y', [10, null, 29, 40]),
];

test('paired differences, with what pairs there are', () => {
  const { arms, main, metrics, data } = result({ made: MADE, failed: [] });
  expect(arms.map(({ name }) => name)).toEqual(['x', 'base', 'y']);
  expect([main, data]).toEqual(['summhay.joint', 4]);
  expect(metrics.map(({ key }) => key)).toEqual(['summhay.joint', 'digest.documentCoverage', 'digest.words']);
  const [x, base, y] = arms;
  expect(base.differences).toBeNull();
  expect(base.figures['summhay.joint'].value).toBe(25);
  const joint = x.differences?.['summhay.joint'];
  expect(joint).toMatchObject({ value: 3, n: 4, ...pairedTTest([2, 5, 1, 4]) });
  // y lost b, so that it is held against the baseline's a, c and d: -1/3, and not the difference of the means, 26.3 - 25.
  expect(y.differences?.['summhay.joint']).toMatchObject({
    value: expect.closeTo(-1 / 3, 12),
    n: 3,
    degreesOfFreedom: 2,
  });
  expect(y.figures['summhay.joint'].n).toBe(3);
  expect(y.differences?.['digest.words']).toMatchObject({ value: 0, p: null, adjustedP: null });
});

test('scores of SummHay are means over the insights of all digests, as are their differences', () => {
  const key = 'summhay.citation';
  const digests = (name: string, values: readonly number[], of: readonly number[]) =>
    madeBy(name, values, key).map((each, place) => ({
      ...each,
      result: { ...each.result, over: { [key]: of[place] } },
    }));
  const made = [...digests('base', [60, 0, 30], [2, 0, 1]), ...digests('x', [90, 30, 0], [1, 3, 0])];
  const [x, base] = result({ made, failed: [] }, { systems: ['x', 'base'] }).arms;
  expect([base.figures[key].value, base.figures[key].n]).toEqual([50, 2]);
  expect([x.figures[key].value, x.figures[key].n]).toEqual([45, 2]);
  // p is of the digests' own figures, where both have any: 30, which is no test.
  expect(x.differences?.[key]).toMatchObject({ value: -5, n: 3, ...pairedTTest([30]) });
});

test('intervals are those of the means of all samples that can be drawn', () => {
  const { arms } = result({ made: MADE, failed: [] });
  const values = [2, 5, 1, 4];
  const places = Array.from({ length: 256 }, (_, all) => [0, 1, 2, 3].map((turn) => Math.floor(all / 4 ** turn) % 4));
  const means = places.map((drawn) => drawn.reduce((sum, place) => sum + values[place], 0) / 4).sort((a, b) => a - b);
  const { low, high } = arms[0].differences?.['summhay.joint'] ?? {};
  expect(Math.abs((low ?? 0) - quantile(means, 0.025))).toBeLessThanOrEqual(0.25);
  expect(Math.abs((high ?? 0) - quantile(means, 0.975))).toBeLessThanOrEqual(0.25);
});

test('all tests of a metric are counted', () => {
  const { arms } = result({ made: MADE, failed: [] });
  const tests = arms.flatMap(({ differences }) => Object.values(differences ?? {})).filter(({ p }) => p !== null);
  expect(tests).toHaveLength(2);
  const [least, most] = tests.map(({ p, adjustedP }) => ({ p: p ?? 1, adjustedP })).sort((a, b) => a.p - b.p);
  expect(least.adjustedP).toBeCloseTo(2 * least.p, 12);
  expect(most.adjustedP).toBeCloseTo(Math.max(2 * least.p, most.p), 12);
});

test('metrics that were named are the only ones, and tokens are shown where any are spent', () => {
  const made = [...madeBy('base', [0, 0], 'digest.tokens'), ...madeBy('x', [0, 0], 'digest.tokens')];
  const keysOf = (wanted?: readonly string[]) =>
    result({ made, failed: [] }, wanted && { wanted }).metrics.map(({ key }) => key);
  expect(keysOf()).not.toContain('digest.tokens');
  expect(keysOf(['digest.tokens', 'summhay.joint'])).toEqual(['digest.tokens']);
});

test('failures are counted, arms that were left out are no arms, and an arm without digests has no figures', () => {
  const failed = [{ item: { arm: 'x', datum: 'e' }, failure: new Error('no') }];
  const made = [...madeBy('base', [1, 2]), { ...madeBy('y', [3])[0], result: compared({}, { isPartial: true }) }];
  const report = result({ made, failed }, { skipped: ['z'] });
  expect(report.arms.map(({ failed: count, partial, digests }) => [count, partial, digests])).toEqual([
    [1, 0, 0],
    [0, 0, 2],
    [0, 1, 1],
  ]);
  expect(report.arms[0].figures['summhay.joint']).toEqual({ value: null, low: null, high: null, n: 0 });
  expect(report.data).toBe(3);
  const left = result({ made, failed }, { skipped: ['x'] });
  expect([left.arms.map(({ name }) => name), left.skipped]).toEqual([['base', 'y'], ['x']]);
});

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
