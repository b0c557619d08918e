import type { MetricType } from '../../contract/index.ts';
import { AUTOMATIC_METRICS, type AutomaticMetric, type ExperimentDefinition } from './experiment.ts';

/**
 * The metrics of a version; what is kept of outcomes names a metric by its place in this list. The automatic ones come last, so that
 * further ones move none.
 */
export function metricsOf({
  metrics,
  guardrails,
}: Pick<ExperimentDefinition, 'metrics' | 'guardrails'>): { readonly key: string; readonly type: MetricType }[] {
  return [
    ...metrics,
    ...guardrails,
    // The mean over a subject's digests.
    ...unclaimedMetrics([...metrics, ...guardrails]).map((key) => ({ key, type: 'ratio' as const })),
  ];
}

/** The automatic metrics that are neither a goal nor a guardrail. */
export function unclaimedMetrics(claimed: readonly { readonly key: string }[]): AutomaticMetric[] {
  return AUTOMATIC_METRICS.filter((key) => claimed.every((metric) => metric.key !== key));
}
