import type { AutomaticMetric, Experiment, Guardrail } from '../../contract/experiment.ts';
import { unclaimedMetrics } from './metrics-of.ts';
import type { MetricResult } from '../../contract/experiment-results.ts';

/** A metric that results are told of. */
export type MeasuredMetric = Omit<Guardrail, 'margin'> & {
  readonly role: MetricResult['role'];
  /** Of guardrails. */
  readonly margin: number | null;
};

/** Which way is better of what every digest records. */
const DIRECTIONS: Readonly<Record<AutomaticMetric, 'increase' | 'decrease'>> = {
  'digest.documentCoverage': 'increase',
  'digest.redundancy': 'decrease',
  'digest.relevance': 'increase',
  'digest.compression': 'decrease',
  'digest.support': 'increase',
  'digest.latency': 'decrease',
  'digest.tokens': 'decrease',
  'digest.cost': 'decrease',
};

/** Goals, guardrails, and the automatic metrics that anything was recorded of. */
export function measuredMetrics(
  { metrics, guardrails }: Pick<Experiment, 'metrics' | 'guardrails'>,
  recorded: ReadonlySet<string>,
): MeasuredMetric[] {
  return [
    ...metrics.map((metric) => ({ ...metric, role: 'goal' as const, margin: null })),
    ...guardrails.map((metric) => ({ ...metric, role: 'guardrail' as const })),
    ...unclaimedMetrics([...metrics, ...guardrails])
      .filter((key) => recorded.has(key))
      .map((key) => ({
        key,
        type: 'ratio' as const,
        direction: DIRECTIONS[key],
        minimumEffect: null,
        role: 'automatic' as const,
        margin: null,
      })),
  ];
}
