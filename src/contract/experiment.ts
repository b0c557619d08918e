import type { DigestRequest } from './digest-request.ts';

export const METRIC_TYPES = ['binomial', 'mean', 'count', 'ratio'] as const;
/**
 * Per subject: whether there was an event (`binomial`), the sum of the values (`mean`), the number of events (`count`), or, over all
 * subjects, the sum of values by the sum of denominators (`ratio`).
 */
export type MetricType = (typeof METRIC_TYPES)[number];

/** Options of a digest that a variant sets; what the request sets itself wins. */
export type VariantOptions = Pick<DigestRequest, 'selection' | 'summary' | 'engine'>;

export interface Variant {
  readonly name: string;
  /** Share of the subjects in the experiment; all sum to 1. */
  readonly weight: number;
  readonly options: VariantOptions;
}

export interface MetricDefinition {
  readonly key: string;
  readonly type: MetricType;
  /** Which way is better. */
  readonly direction: 'increase' | 'decrease';
  /** Smallest relative change that matters: 0.02 is two percent. Null where none was named. */
  readonly minimumEffect: number | null;
}

/** A metric that must not get worse by more than a relative margin. */
export interface Guardrail extends MetricDefinition {
  readonly margin: number;
}

/** A part of the traffic that experiments of one layer share without meeting. */
export interface LayerShare {
  readonly key: string;
  /** From 0 to 1; the subjects whose place in the layer lies from `from` up to `to`. */
  readonly from: number;
  readonly to: number;
}

/** What an experiment tries: the first variant is the control. */
export interface ExperimentDefinition {
  readonly key: string;
  readonly hypothesis: string;
  readonly variants: readonly Variant[];
  readonly metrics: readonly MetricDefinition[];
  readonly guardrails: readonly Guardrail[];
  /** Share of the subjects that take part: over 0, up to 1. */
  readonly traffic: number;
  readonly layer: LayerShare | null;
  /** What subjects are hashed with; by default the key. */
  readonly salt: string;
}

export const EXPERIMENT_STATES = ['draft', 'running', 'stopped'] as const;
export type ExperimentState = (typeof EXPERIMENT_STATES)[number];

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

/** What became of a subject. */
export interface Assignment {
  readonly key: string;
  readonly version: number;
  /** Null where the subject takes no part: outside of the traffic or the layer, or the experiment is not running. */
  readonly variant: string | null;
  /** Why there is no variant. */
  readonly reason: 'assigned' | 'traffic' | 'layer' | 'draft' | 'stopped';
}

/** Fields that take another value; all others stay. */
export type ExperimentChanges = {
  readonly [field in Exclude<keyof ExperimentDefinition, 'key'>]?: ExperimentDefinition[field] | undefined;
};

/** An experiment as it is asked for: without guardrails, with all the traffic, in no layer and hashed with its key by default. */
export type NewExperiment = Pick<ExperimentDefinition, 'key' | 'hypothesis' | 'variants' | 'metrics'> & {
  readonly [field in 'guardrails' | 'traffic' | 'layer' | 'salt']?: ExperimentDefinition[field] | undefined;
};

/** Variants and metrics of an experiment at most. */
export const MOST_VARIANTS = 20;

export const MOST_METRICS = 50;

export const CORRECTIONS = ['holm', 'benjamini-hochberg'] as const;

export type Correction = (typeof CORRECTIONS)[number];

export interface Interval {
  readonly low: number;
  readonly high: number;
}
