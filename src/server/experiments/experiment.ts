import type {
  Experiment as AnsweredExperiment,
  ExperimentChanges,
  ExperimentRequest,
  ExperimentState,
  MetricType,
} from '../../contract/index.ts';
import {
  type Database,
  listVersions,
  type Page,
  type PageRequest,
  readVersion,
  type StoredExperiment,
} from '../../store/index.ts';
import { ExperimentNotFoundError } from '../errors.ts';

export type ExperimentDefinition = Omit<
  AnsweredExperiment,
  'version' | 'status' | 'createdAt' | 'startedAt' | 'stoppedAt'
>;

export type NewExperiment = Omit<ExperimentRequest, 'status'>;

export type DefinitionChanges = Omit<ExperimentChanges, 'version' | 'newVersion'>;

export interface Experiment extends ExperimentDefinition {
  readonly version: number;
  readonly state: ExperimentState;
  readonly createdAt: number;
  readonly startedAt: number | null;
  readonly stoppedAt: number | null;
}

/** Metrics recorded by every digest: the mean over a subject's digests (a ratio by digests). */
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

/** The metrics of a version. Stored outcomes use indices into this list; automatic ones come last, so that new ones move none. */
export function metricsOf({
  metrics,
  guardrails,
}: Pick<ExperimentDefinition, 'metrics' | 'guardrails'>): { readonly key: string; readonly type: MetricType }[] {
  const claimed = [...metrics, ...guardrails];
  return [...claimed, ...unclaimedMetrics(claimed).map((key) => ({ key, type: 'ratio' as const }))];
}

export function unclaimedMetrics(claimed: readonly { readonly key: string }[]): AutomaticMetric[] {
  return AUTOMATIC_METRICS.filter((key) => claimed.every((metric) => metric.key !== key));
}

/** Reads an experiment, by default in its newest version. @throws ExperimentNotFoundError */
export async function readExperiment(database: Database, key: string, version?: number): Promise<Experiment> {
  return experimentOf(await knownVersion(database, key, version));
}

export async function knownVersion(database: Database, key: string, version?: number): Promise<StoredExperiment> {
  const stored = await readVersion(database, key, version);
  if (stored === undefined) throw new ExperimentNotFoundError(version ?? null);
  return stored;
}

/** Experiments in their newest versions, newest first. @throws InvalidCursorError */
export async function listExperiments(database: Database, request: PageRequest): Promise<Page<Experiment>> {
  const { rows, next } = await listVersions(database, request);
  return { rows: rows.map(experimentOf), next };
}

export function experimentOf(stored: StoredExperiment): Experiment {
  const { version, createdAt, startedAt, stoppedAt } = stored;
  return { ...definitionOf(stored), version, state: stateOf(stored), createdAt, startedAt, stoppedAt };
}

export function definitionOf({ definition }: StoredExperiment): ExperimentDefinition {
  return JSON.parse(definition); // only this service writes definitions
}

export function stateOf({ startedAt, stoppedAt }: StoredExperiment): ExperimentState {
  if (startedAt === null) return 'draft';
  return stoppedAt === null ? 'running' : 'stopped';
}

const MAX_ID_CHARACTERS = 200;

/** Control characters and lone surrogates, which do not survive storage. */
const UNFIT = /\p{Cc}|\p{Cs}/u;

export function problemOfId(id: unknown): string | null {
  if (typeof id !== 'string' || id === '') return 'must be a text that is not empty';
  if (id.length > MAX_ID_CHARACTERS) return `has more than ${MAX_ID_CHARACTERS} characters`;
  return UNFIT.test(id) ? 'holds a control character or half of a surrogate pair' : null;
}
