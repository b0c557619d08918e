import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Comparison, ExperimentResults } from '../../../src/contract/index.ts';
import { resultsOf } from '../../../src/server/experiments/results.ts';
import {
  aggregatesOf,
  CLICKS,
  conversionsOf,
  experimentOf,
  LATENCY,
  spreadOf,
  TIME,
  valuesOf,
} from './results-fixture.ts';

const two = experimentOf(['a', 'b']);

function comparison(results: ExperimentResults, metric: string, variant = 'b'): Comparison {
  const found = results.metrics.find(({ key }) => key === metric)?.comparisons.find((each) => each.variant === variant);
  if (found === undefined) throw new Error(`No ${metric} of ${variant}.`);
  return found;
}

test('a binomial metric from sums to comparison', () => {
  // python3 test/server/experiments/references.py, "shares 300/1000 345/1010".
  const sums = [conversionsOf('clicks', 'a', 300), conversionsOf('clicks', 'b', 345)];
  const results = resultsOf(two, aggregatesOf(two, [1000, 1010], sums));
  expect(results).toMatchObject({ key: 'try', version: 3, status: 'running', alpha: 0.05, correction: 'holm' });
  expect(results).toMatchObject({ exposed: 2010, overridden: 4, dataVersion: 7 });
  expect(results.ignored).toEqual({ beforeExposure: 1, overridden: 2, duplicates: 3, afterStop: 5 });
  expect(results.sampleRatio.observed).toEqual([
    { variant: 'a', subjects: 1000, expected: 1005 },
    { variant: 'b', subjects: 1010, expected: 1005 },
  ]);
  expect(results.metrics[0].arms[0]).toMatchObject({ variant: 'a', n: 1000, mean: 0.3, conversions: 300 });
  expect(results.metrics[0].arms[0].variance).toBeCloseTo((0.21 * 1000) / 999, 12);
  const found = comparison(results, 'clicks');
  expect(found).toMatchObject({ test: 'two-proportion-z', degreesOfFreedom: null, better: true, significant: true });
  expect(found.statistic).toBeCloseTo(1.9968270408146633, 10);
  expect(found.p).toBeCloseTo(0.045843975014686227, 10);
  expect(found.adjustedP).toBe(found.p);
  expect(found.interval?.low).toBeCloseTo(0.00081513396461115745, 10);
  expect(found.interval?.high).toBeCloseTo(0.082353182867072078, 10);
  expect(found.lift).toBeCloseTo(345 / 303 - 1, 12);
  expect(found.sequential?.significant).toBe(false);
  expect(found.sequential?.interval.low).toBeLessThan(0);
});

test('corrects goals over metrics and variants together, and leaves guardrails and automatic metrics out', () => {
  const experiment = experimentOf(['a', 'b', 'c'], { metrics: [CLICKS, TIME], guardrails: [LATENCY] });
  const n = [1000, 1000, 1000];
  const sums = [
    ...[300, 345, 310].map((x, i) => conversionsOf('clicks', 'abc'[i], x)),
    ...[10, 10.5, 11].map((mean, i) => spreadOf('time', 'abc'[i], 1000, mean, 5)),
    ...[100, 101, 102].map((mean, i) => spreadOf('latency', 'abc'[i], 1000, mean, 10)),
    ...[1, 2, 3].map((x, i) => valuesOf('digest.cost', 'abc'[i], [x, 2 * x], [1, 1])),
  ];
  const goalsOf = (results: ExperimentResults) =>
    results.metrics.filter(({ role }) => role === 'goal').flatMap(({ comparisons }) => comparisons);
  const holm = resultsOf(experiment, aggregatesOf(experiment, n, sums));
  const ps = goalsOf(holm).map(({ p }) => p ?? 1);
  const sorted = ps.toSorted((a, b) => a - b);
  const expected = (p: number) => Math.min(1, Math.max(...sorted.map((each, i) => (each <= p ? (4 - i) * each : 0))));
  goalsOf(holm).forEach(({ adjustedP, significant }, i) => {
    expect(adjustedP).toBeCloseTo(expected(ps[i]), 12);
    expect(significant).toBe(expected(ps[i]) < 0.05);
  });
  const bh = resultsOf(experiment, aggregatesOf(experiment, n, sums), { correction: 'benjamini-hochberg' });
  expect(bh.correction).toBe('benjamini-hochberg');
  const clicks = [comparison(holm, 'clicks'), comparison(bh, 'clicks')];
  expect(clicks.map(({ significant }) => significant)).toEqual([false, true]);
  // Intervals are not corrected.
  expect(clicks[0].interval).toEqual(clicks[1].interval);
  expect(clicks[0].interval?.low).toBeGreaterThan(0);
  for (const key of ['latency', 'digest.cost']) expect(comparison(holm, key).adjustedP).toBeNull();
  expect(holm.metrics.map(({ key, role }) => [key, role])).toEqual([
    ['clicks', 'goal'],
    ['time', 'goal'],
    ['latency', 'guardrail'],
    ['digest.cost', 'automatic'],
  ]);
  expect(holm.metrics[3]).toMatchObject({ type: 'ratio', direction: 'decrease', guardrail: null });
});

test('guardrails go by the sequential interval while the experiment runs, and by the fixed one at a planned end', () => {
  const experiment = experimentOf(['a', 'b'], {
    metrics: [{ ...CLICKS, minimumEffect: 0.5 }],
    guardrails: [LATENCY],
  });
  const at = (mean: number, status: 'running' | 'stopped') => {
    const sums = [
      conversionsOf('clicks', 'a', 1000),
      conversionsOf('clicks', 'b', 1000),
      spreadOf('latency', 'a', 2500, 100, 50),
      spreadOf('latency', 'b', 2500, mean, 50),
    ];
    const results = resultsOf({ ...experiment, status }, aggregatesOf(experiment, [2500, 2500], sums));
    return results.metrics[1].guardrail;
  };
  // The fixed interval of the lift reaches 2.8 points to each side, the sequential one 4.4.
  expect(at(99, 'running')).toEqual([{ variant: 'b', verdict: 'safe' }]);
  expect(at(101.5, 'stopped')).toEqual([{ variant: 'b', verdict: 'safe' }]);
  expect(at(101.5, 'running')).toEqual([{ variant: 'b', verdict: 'unclear' }]);
  expect(at(108.2, 'stopped')).toEqual([{ variant: 'b', verdict: 'breached' }]);
  expect(at(108.2, 'running')).toEqual([{ variant: 'b', verdict: 'unclear' }]);
  expect(at(112, 'running')).toEqual([{ variant: 'b', verdict: 'breached' }]);
});

const subjects = fc.constantFrom(0, 1, 2, 3, 150, 5000);
const value = fc.oneof(fc.constantFrom(0, 1, -3, 1e-200, 1e200), fc.double({ min: -1e4, max: 1e4, noNaN: true }));

test('whatever comes, no number is NaN or infinite, and the order of rows does not matter', () => {
  const types = fc.constantFrom('binomial' as const, 'mean' as const, 'count' as const, 'ratio' as const);
  const sizes = fc.tuple(subjects, subjects, subjects);
  const rows = fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c'), value, value), { maxLength: 6 });
  const effect = fc.constantFrom(null, 0.1, 3);
  const states = fc.constantFrom('draft' as const, 'running' as const, 'stopped' as const);
  fc.assert(
    fc.property(types, sizes, rows, effect, states, (type, [a, b, c], drawn, minimumEffect, status) => {
      const metric = { ...TIME, type, minimumEffect };
      const experiment = experimentOf(['a', 'b', 'c'], {
        metrics: [metric, { ...metric, key: 'other', direction: 'decrease' }],
        guardrails: [LATENCY],
        status,
      });
      const sums = ['time', 'other', 'latency'].flatMap((key) =>
        ['a', 'b', 'c'].map((name) => {
          const own = drawn.filter(([variant]) => variant === name);
          return valuesOf(
            key,
            name,
            own.map(([, x]) => (type === 'binomial' ? Number(x > 0) : x)),
            own.map(([, , y]) => y),
          );
        }),
      );
      const aggregates = aggregatesOf(experiment, [a, b, c], sums);
      const results = resultsOf(experiment, aggregates);
      expect(oddNumbers(results)).toEqual([]);
      expect(results.conclusion).toMatch(/^[A-Z"].*\.$/);
      expect(results.conclusion).not.toMatch(/NaN|Infinity|null|undefined/);
      const turned = { ...aggregates, sums: aggregates.sums.toReversed() };
      expect(resultsOf(experiment, turned)).toEqual(results);
    }),
  );
});

function oddNumbers(value: unknown): unknown[] {
  if (typeof value === 'number') return Number.isFinite(value) ? [] : [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(oddNumbers) : [];
}
