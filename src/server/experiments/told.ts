import type { Experiment } from '../../contract/experiment.ts';
import type { Basis, MetricResult } from '../../contract/experiment-results.ts';

/** What a conclusion is told from. */
export interface Told {
  readonly experiment: Experiment;
  readonly metrics: readonly MetricResult[];
  /** Metrics with any event. */
  readonly recorded: ReadonlySet<string>;
  readonly alpha: number;
  readonly basis: Basis | null;
  /** p of the split of subjects. */
  readonly splitP: number | null;
}
