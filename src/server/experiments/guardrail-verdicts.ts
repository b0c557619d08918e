import type { MeasuredMetric } from './measured-metrics.ts';
import type { ArmResult, Basis, MetricResult } from '../../contract/experiment-results.ts';
import { criticalValue } from './statistics/critical-value.ts';
import { enoughSubjects } from './statistics/enough-subjects.ts';
import { guardrailVerdict } from './statistics/guardrail-verdict.ts';
import { meanEstimate } from './statistics/mean-estimate.ts';
import { sequentialCritical } from './statistics/sequential-critical.ts';

/**
 * Each variant's verdict for a guardrail: by the interval that is valid at every look or, where the end was planned and reached,
 * by the fixed one; never before there are enough subjects to judge by.
 */
export function guardrailVerdicts(
  { type, direction }: Pick<MeasuredMetric, 'type' | 'direction'>,
  margin: number,
  [control, ...treatments]: readonly ArmResult[],
  { alpha, basis }: { readonly alpha: number; readonly basis: Basis | null },
): NonNullable<MetricResult['guardrail']> {
  const isShare = type === 'binomial';
  return treatments.map((arm) => {
    const [a, b] = [meanEstimate(control, isShare), meanEstimate(arm, isShare)];
    const isJudged = basis !== null && a !== null && b !== null && enoughSubjects(control, arm, isShare);
    if (!isJudged) return { variant: arm.variant, verdict: 'unclear' };
    const critical = basis === 'fixed' ? criticalValue(alpha, null) : sequentialCritical(a.n + b.n, alpha);
    return { variant: arm.variant, verdict: guardrailVerdict(a, b, { margin, direction, critical }) };
  });
}
