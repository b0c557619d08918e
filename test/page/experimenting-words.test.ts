import { describe, expect, test } from 'vitest';
import type { Experiment, ExperimentResults } from '../../src/client/index.ts';
import {
  describeComparison,
  describeNeeded,
  describeVerdict,
  warningsOf,
} from '../../src/page/experimenting/results-words.ts';
import { metricName } from '../../src/page/parts/figures.ts';

type Metric = ExperimentResults['metrics'][number];
type Comparison = Metric['comparisons'][number];

const COMPARISON: Comparison = {
  variant: 'large',
  difference: 0.05,
  interval: { low: 0.01, high: 0.09 },
  lift: 0.1,
  liftInterval: { low: 0.02, high: 0.18 },
  test: 'two-proportion-z',
  statistic: 2,
  degreesOfFreedom: null,
  p: 0.02,
  adjustedP: 0.02,
  sequential: { interval: { low: -0.02, high: 0.12 }, liftInterval: { low: -0.05, high: 0.25 }, significant: false },
  significant: true,
  better: true,
  stillNeeded: 320,
};
const ARM = { variant: 'small', n: 100, mean: 0.5, variance: 0.25, conversions: 50, active: 50 };
const METRIC: Metric = {
  key: 'read',
  type: 'binomial',
  role: 'goal',
  direction: 'increase',
  arms: [ARM, { ...ARM, variant: 'large', mean: 0.55 }],
  comparisons: [COMPARISON],
  guardrail: null,
};
const RESULTS: ExperimentResults = {
  key: 'sizes',
  version: 1,
  status: 'running',
  alpha: 0.05,
  correction: 'holm',
  sampleRatio: { observed: [], statistic: null, p: null, mismatch: false },
  exposed: 200,
  overridden: 0,
  ignored: { beforeExposure: 0, afterStop: 0, overridden: 0, duplicates: 0 },
  metrics: [METRIC],
  verdict: 'none',
  basis: 'sequential',
  conclusion: '',
  dataVersion: 1,
};
// As much of an experiment as warnings read.
const EXPERIMENT = {
  guardrails: [{ key: 'complaint', type: 'binomial', direction: 'decrease', minimumEffect: null, margin: 0.1 }],
} as unknown as Experiment;

describe('words', () => {
  test('for verdicts, numbers and names', () => {
    expect(describeVerdict(RESULTS)).toBe('No verdict yet');
    expect(describeVerdict({ verdict: 'none', status: 'draft' })).toBe('Not started');
    expect(['digest.latency', 'digest.relevance', 'digest.other', 'latency'].map(metricName)).toEqual([
      ...['Time to make a digest (ms)', 'Relevance', 'digest.other', 'latency'],
    ]);
  });

  test.each<[string, Partial<Comparison>, Parameters<typeof describeComparison>[2]]>([
    ['no clear difference', {}, 'sequential'],
    ['better', {}, 'fixed'],
    ['worse', { better: false }, 'fixed'],
    ['not judged, because the split is wrong', {}, null],
    ['too early to judge', { sequential: null }, 'sequential'],
    ['not enough data', { difference: null }, 'fixed'],
  ])('%s: by the interval that counts', (words, part, basis) => {
    expect(describeComparison({ ...COMPARISON, ...part }, METRIC, basis)).toBe(words);
  });

  test('others than goals are not corrected: their interval tells', () => {
    expect(describeComparison({ ...COMPARISON, significant: false }, { role: 'guardrail' }, 'fixed')).toBe('better');
  });

  test('for what is needed', () => {
    const needed = (part: Partial<Comparison>, effect: number | null) =>
      describeNeeded({ ...COMPARISON, ...part }, effect);
    expect(needed({}, 0.02)).toMatch(/^About 320 more readers per variant .* of 2%\.$/);
    expect(needed({ stillNeeded: 0 }, 0.02)).toMatch(/^There are enough readers .* of 2%\.$/);
    expect(needed({ stillNeeded: null }, 0.02)).toBe(null);
  });

  test('a wrong split is told once, as the conclusion', () => {
    const wrong = { ...RESULTS, basis: null, sampleRatio: { ...RESULTS.sampleRatio, mismatch: true } };
    expect(warningsOf(wrong, EXPERIMENT)).toEqual([]);
  });

  test('for what to be wary of, gravest first', () => {
    const guardrail = [{ variant: 'large', verdict: 'breached' }] as const;
    const breach: Metric = { ...METRIC, key: 'complaint', role: 'guardrail', guardrail: [...guardrail] };
    const ignored = { beforeExposure: 1, afterStop: 2, overridden: 0, duplicates: 0 };
    expect(warningsOf({ ...RESULTS, metrics: [METRIC, breach], overridden: 2, ignored }, EXPERIMENT)).toEqual([
      '“large” makes “complaint” worse by more than the 10% that is allowed.',
      'Left out: 2 readers and 3 outcomes; the results of the API say why.',
      expect.stringMatching(/^The experiment is running.*wide intervals hold at every look/),
    ]);
    expect(warningsOf({ ...RESULTS, basis: 'fixed', status: 'stopped' }, EXPERIMENT)[0]).toContain('narrow intervals');
    expect(warningsOf({ ...RESULTS, status: 'stopped' }, EXPERIMENT)[0]).toContain('wide intervals count');
    expect(warningsOf({ ...RESULTS, exposed: 0 }, EXPERIMENT)).toEqual([]);
  });
});
