import type { ExperimentState } from './experiment.ts';
import type { Comparison, MetricResult } from './results.ts';
import { guardrailVerdict } from './statistics/guardrail-verdict.ts';

/**
 * Each variant's verdict for a guardrail: by the interval that is valid at every look while the experiment runs, and by the
 * fixed one when it was stopped; never before there are enough subjects to judge by.
 */
export function guardrailVerdicts(
  comparisons: readonly Comparison[],
  margin: number,
  direction: 'increase' | 'decrease',
  state: ExperimentState,
): NonNullable<MetricResult['guardrail']> {
  return comparisons.map(({ variant, liftInterval, sequential }) => {
    const interval = state === 'stopped' && sequential !== null ? liftInterval : (sequential?.liftInterval ?? null);
    return { variant, verdict: guardrailVerdict(interval, margin, direction) };
  });
}
