import { expect, test } from 'vitest';
import { quantile } from '../../../src/lab/bulk/estimate.ts';
import {
  type Arm,
  type Comparison,
  comparisonReport,
  pairedTTest,
} from '../../../src/lab/comparison/comparison-report.ts';
import { compared, madeBy } from './samples.ts';

const arm = (name: string): Arm => ({ name, options: {} });
const OURS: Comparison = { name: 'c', arms: [arm('x'), arm('base'), arm('y')], baseline: 'base', metrics: null };
const MADE = [
  ...madeBy('base', [10, 20, 30, 40]),
  ...madeBy('x', [12, 25, 31, 44]),
  ...madeBy('y', [10, null, 29, 40]),
];

test('paired differences, with what pairs there are', () => {
  const { arms, main, metrics, data } = comparisonReport(OURS, { made: MADE, failed: [] });
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
  const [x, base] = comparisonReport({ ...OURS, arms: [arm('x'), arm('base')] }, { made, failed: [] }).arms;
  expect([base.figures[key].value, base.figures[key].n]).toEqual([50, 2]);
  expect([x.figures[key].value, x.figures[key].n]).toEqual([45, 2]);
  // p is of the digests' own figures, where both have any: 30, which is no test.
  expect(x.differences?.[key]).toMatchObject({ value: -5, n: 3, ...pairedTTest([30]) });
});

test('intervals are those of the means of all samples that can be drawn', () => {
  const { arms } = comparisonReport(OURS, { made: MADE, failed: [] });
  const values = [2, 5, 1, 4];
  const places = Array.from({ length: 256 }, (_, all) => [0, 1, 2, 3].map((turn) => Math.floor(all / 4 ** turn) % 4));
  const means = places.map((drawn) => drawn.reduce((sum, place) => sum + values[place], 0) / 4).sort((a, b) => a - b);
  const { low, high } = arms[0].differences?.['summhay.joint'] ?? {};
  expect(Math.abs((low ?? 0) - quantile(means, 0.025))).toBeLessThanOrEqual(0.25);
  expect(Math.abs((high ?? 0) - quantile(means, 0.975))).toBeLessThanOrEqual(0.25);
});

test('all tests of all arms and metrics are counted', () => {
  const { arms } = comparisonReport(OURS, { made: MADE, failed: [] });
  const tests = arms.flatMap(({ differences }) => Object.values(differences ?? {})).filter(({ p }) => p !== null);
  expect(tests).toHaveLength(2);
  const [least, most] = tests.map(({ p, adjustedP }) => ({ p: p ?? 1, adjustedP })).sort((a, b) => a.p - b.p);
  expect(least.adjustedP).toBeCloseTo(2 * least.p, 12);
  expect(most.adjustedP).toBeCloseTo(Math.max(2 * least.p, most.p), 12);
});

test('the order of digests does not matter, to the last bit', () => {
  const report = comparisonReport(OURS, { made: MADE, failed: [] });
  const shuffled = [3, 7, 0, 11, 5, 2, 9, 1, 10, 4, 8, 6].map((place) => MADE[place]);
  expect(JSON.stringify(comparisonReport(OURS, { made: shuffled, failed: [] }))).toBe(JSON.stringify(report));
});

test('latency is shown where it is asked for, and never tested; metrics that were named are the only ones', () => {
  const made = [...madeBy('base', [1, 2, 4], 'digest.latency'), ...madeBy('x', [2, 5, 6], 'digest.latency')];
  const run = { made, failed: [] };
  expect(comparisonReport(OURS, run).metrics.map(({ key }) => key)).not.toContain('digest.latency');
  const timed = comparisonReport(OURS, run, { hasTimings: true });
  expect(timed.arms[0].differences?.['digest.latency']).toMatchObject({ p: null, adjustedP: null });
  expect(timed.arms[0].differences?.['digest.latency'].value).toBe(2);
  const named = comparisonReport({ ...OURS, metrics: ['digest.words', 'summhay.joint'] }, run);
  expect(named.metrics.map(({ key }) => key)).toEqual(['digest.words']);
});

test('failures are counted, arms that were left out are no arms, and an arm without digests has no figures', () => {
  const failed = [{ item: { arm: 'x', datum: 'e' }, failure: new Error('no') }];
  const made = [...madeBy('base', [1, 2]), { ...madeBy('y', [3])[0], result: compared({}, { isPartial: true }) }];
  const report = comparisonReport(OURS, { made, failed }, { skipped: ['z'] });
  expect(report.arms.map(({ failed: count, partial, digests }) => [count, partial, digests])).toEqual([
    [1, 0, 0],
    [0, 0, 2],
    [0, 1, 1],
  ]);
  expect(report.arms[0].figures['summhay.joint']).toEqual({ value: null, low: null, high: null, n: 0 });
  expect(report.data).toBe(3);
  const left = comparisonReport(OURS, { made, failed }, { skipped: ['x'] });
  expect([left.arms.map(({ name }) => name), left.skipped]).toEqual([['base', 'y'], ['x']]);
});

test('arms share the scales of their histograms', () => {
  const { arms, scales } = comparisonReport(OURS, { made: MADE, failed: [] });
  expect(scales.documents).toMatchObject({ from: 0, to: 1 });
  for (const { distributions } of arms) {
    expect(distributions.words.counts).toHaveLength(scales.words.bins);
    expect(distributions.words.quantiles.p50).toBe(101.5);
    expect(distributions.wordsPerSentence).toMatchObject({ n: 8, mean: 15 });
    expect(distributions.documents.counts.indexOf(4)).toBe(10);
  }
});
