import { expect, test } from 'vitest';
import type { Experiment } from '../../../src/contract/index.ts';
import { resultsOf } from '../../../src/server/experiments/results.ts';
import { aggregatesOf, CLICKS, conversionsOf, experimentOf, LATENCY, spreadOf, TIME } from './results-fixture.ts';

/** Verdict and conclusion where n subjects an arm converted so, in the order of variants. */
function judge(n: number, conversions: readonly number[], change: Partial<Experiment> = {}, more = [] as Sums) {
  const names = conversions.map((_, i) => 'abcdef'[i]);
  const sums = [...conversions.map((x, i) => conversionsOf('clicks', names[i], x)), ...more];
  const experiment = experimentOf(names, change);
  const exposed = names.map(() => n);
  const { verdict, conclusion } = resultsOf(experiment, aggregatesOf(experiment, exposed, sums));
  return [verdict, conclusion];
}
type Sums = ReturnType<typeof spreadOf>[];

test('a winner while running rests on the sequential interval, with the lift', () => {
  expect(judge(5000, [1500, 1800])).toEqual([
    'winner',
    '"b" beats the control "a": "clicks" rises by 20% (95% interval of the change: 9.47% to 30.5%, valid at every look).',
  ]);
});

test('a loser, by the direction of the metric', () => {
  const [verdict, conclusion] = judge(5000, [1500, 1800], { metrics: [{ ...CLICKS, direction: 'decrease' }] });
  expect(verdict).toBe('loser');
  expect(conclusion).toMatch(/^"b" is worse than the control "a": "clicks" rises by 20% /);
  expect(judge(5000, [1800, 1500])[1]).toMatch(/^"b" is worse than the control "a": "clicks" falls by 16.7% /);
});

test('a breached guardrail stops a winner, an unsettled one is named', () => {
  const latency = (mean: number) => [spreadOf('latency', 'a', 5000, 100, 50), spreadOf('latency', 'b', 5000, mean, 50)];
  const [verdict, conclusion] = judge(5000, [1500, 1800], { guardrails: [LATENCY] }, latency(112));
  expect(verdict).toBe('guardrail');
  expect(conclusion).toMatch(
    /^"b" beats the control "a": "clicks" rises by 20% .*; guardrails breached: "latency" rises by 12% \(.*\)\.$/,
  );
  const unsettled = judge(5000, [1500, 1800], { guardrails: [LATENCY] }, latency(104));
  expect(unsettled[0]).toBe('winner');
  expect(unsettled[1]).toMatch(/; guardrails not settled yet: "latency"\.$/);
  expect(judge(5000, [1500, 1800], { guardrails: [LATENCY] }, latency(99))[1]).not.toContain('latency');
});

test('a mismatch of the split leaves no verdict, whatever the metrics say', () => {
  const sums = [conversionsOf('clicks', 'a', 1500), conversionsOf('clicks', 'b', 1800)];
  const two = experimentOf(['a', 'b']);
  const results = resultsOf(two, aggregatesOf(two, [5000, 4600], sums));
  expect(results.sampleRatio.mismatch).toBe(true);
  expect(results.verdict).toBe('mismatch');
  const [{ significant, sequential }] = results.metrics[0].comparisons;
  expect([significant, sequential?.significant]).toEqual([false, false]);
  expect(results.conclusion).toBe(
    'There is no verdict, for the subjects are not split as the weights say (p = 0.000045): something is wrong with the assignment or with what records exposures.',
  );
});

test('too early: not started, nobody, too few, fewer than the minimum effect takes', () => {
  expect(judge(5000, [1500, 1800], { status: 'draft' })).toEqual(['none', 'The experiment has not started.']);
  expect(judge(0, [0, 0])).toEqual(['none', 'Nobody has been exposed yet.']);
  const [verdict, conclusion] = judge(99, [10, 90]);
  expect(verdict).toBe('none');
  expect(conclusion).toMatch(
    /^It is too early to tell: before it is judged an arm needs about 100 subjects with a value/,
  );
  expect(judge(500, [0, 0])[0]).toBe('none');
  expect(judge(1000, [100, 105], { metrics: [{ ...CLICKS, minimumEffect: 0.1 }] })).toEqual([
    'none',
    'It is too early to tell: to see a change of 10% in "clicks" with 80% power an arm needs at least 13,749 more subjects.',
  ]);
});

test('no difference that matters, or none that could be shown', () => {
  const metrics = [{ ...CLICKS, minimumEffect: 0.05 }];
  expect(judge(100_000, [30_000, 30_050], { metrics })).toEqual([
    'inconclusive',
    '"b" shows no clear difference from the control "a": "clicks" rises by 0.167% (95% interval of the change: -2.18% to 2.52%, valid at every look).',
  ]);
  expect(judge(100_000, [30_000, 30_050], { metrics, status: 'stopped' })[1]).toMatch(/planned beforehand\)\.$/);
  const planned = [{ ...CLICKS, minimumEffect: 0.25 }];
  expect(judge(1000, [300, 361], { metrics: planned, status: 'stopped' })[0]).toBe('winner');
  const [verdict, conclusion] = judge(1000, [300, 310], { metrics, status: 'stopped' });
  expect(verdict).toBe('inconclusive');
  expect(conclusion).toMatch(/^"b" shows no clear difference .* "clicks" rises by 3.33% \(.* valid at every look\)\.$/);
});

test('each treatment has its sentence, and only one of them need win', () => {
  const [verdict, conclusion] = judge(5000, [1500, 1800, 1510, 1200]);
  expect(verdict).toBe('winner');
  expect(conclusion).toMatch(
    /^"b" beats the control "a": .*\. "c" shows no clear difference .*\. "d" is worse than the control "a": [^"]*"clicks" falls by 20%/,
  );
  const both = { metrics: [CLICKS, TIME] };
  const time = [spreadOf('time', 'a', 5000, 10, 5), spreadOf('time', 'b', 5000, 8, 5)];
  expect(judge(5000, [1500, 1800], both, time)).toEqual([
    'inconclusive',
    expect.stringMatching(/^"b" is better and worse than the control "a": "clicks" rises .*, "time" falls by 20%/),
  ]);
});

test('who looked until it was significant and then stopped has not won', () => {
  expect(judge(2000, [600, 660], { status: 'stopped' })[0]).toBe('inconclusive');
  const short = { status: 'stopped', metrics: [{ ...CLICKS, minimumEffect: 0.05 }] } as const;
  expect(judge(2000, [600, 660], short)[0]).toBe('inconclusive');
});
