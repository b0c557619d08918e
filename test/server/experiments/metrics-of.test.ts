import { expect, test } from 'vitest';
import { AUTOMATIC_METRICS } from '../../../src/server/experiments/experiment.ts';
import { metricsOf } from '../../../src/server/experiments/metrics-of.ts';
import { measuredMetrics } from '../../../src/server/experiments/results-of.ts';
import { CLICKS } from './results-fixture.ts';

const SLOW = { key: 'digest.latency', type: 'ratio', direction: 'decrease', minimumEffect: null, margin: 0.1 } as const;

test('what digests record by themselves can be a guardrail, and is then listed once', () => {
  const experiment = { metrics: [CLICKS], guardrails: [SLOW] };
  const keys = metricsOf(experiment).map(({ key }) => key);
  expect(keys).toEqual(['clicks', ...new Set(['digest.latency', ...AUTOMATIC_METRICS])]);
  const roles = measuredMetrics(experiment, new Set(AUTOMATIC_METRICS)).filter(({ key }) => key === 'digest.latency');
  expect(roles).toEqual([{ ...SLOW, role: 'guardrail' }]);
});
