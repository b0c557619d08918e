import type {
  Experiment as AnsweredExperiment,
  ExperimentChanges,
  ExperimentRequest,
  ExperimentState,
} from '../../contract/index.ts';

/** What an experiment tries: the first variant is the control. */
export type ExperimentDefinition = Omit<
  AnsweredExperiment,
  'version' | 'status' | 'createdAt' | 'startedAt' | 'stoppedAt'
>;

/** An experiment as it is asked for. */
export type NewExperiment = Omit<ExperimentRequest, 'status'>;

/** Fields that take another value; all others stay. */
export type DefinitionChanges = Omit<ExperimentChanges, 'version' | 'newVersion'>;

/** An experiment as it is kept. */
export interface Experiment extends ExperimentDefinition {
  /** Of variants, weights, traffic, layer, salt and metrics: subjects and outcomes belong to one version. From 1. */
  readonly version: number;
  readonly state: ExperimentState;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  readonly startedAt: number | null;
  readonly stoppedAt: number | null;
}

/** What every digest of a subject records by itself, each the mean over the subject's digests (a ratio by digests). */
export const AUTOMATIC_METRICS = [
  'digest.documentCoverage',
  'digest.redundancy',
  'digest.relevance',
  'digest.compression',
  'digest.support',
  'digest.latency',
  'digest.tokens',
  'digest.cost',
] as const;
export type AutomaticMetric = (typeof AUTOMATIC_METRICS)[number];

export function isAutomatic(key: string): key is AutomaticMetric {
  return AUTOMATIC_METRICS.some((each) => each === key);
}
