import type { IgnoredOutcomes } from '../../contract/index.ts';
import type { StoredSums } from '../../store/index.ts';

/**
 * Sums over the subjects of a variant, for one metric. x is the subject's value (1 or 0 for a binomial metric, the number of
 * events for a count), y its denominator (ratio metrics; 0 for others). Subjects without an outcome have 0.
 */
export interface MetricSums extends Omit<StoredSums, 'metric' | 'variant' | 'positive'> {
  readonly metric: string;
  readonly variant: string;
}

/** What the store knows of an experiment's version, computed by SQL. */
export interface ExperimentAggregates {
  /** Subjects exposed by variant; those whose exposure was overridden are not among them. */
  readonly exposed: readonly { readonly variant: string; readonly subjects: number }[];
  readonly overridden: number;
  readonly sums: readonly MetricSums[];
  readonly ignored: IgnoredOutcomes;
  /** Changes with every exposure and outcome. */
  readonly dataVersion: number;
}
