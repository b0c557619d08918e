import type { Experiment, ExperimentRequest, ExperimentState, Guardrail, MetricResult } from '../../contract/index.ts';
import {
  type Database,
  listVersions,
  type Page,
  type PageRequest,
  readVersion,
  type StoredExperiment,
} from '../../store/index.ts';
import { ExperimentNotFoundError, type PointedProblem } from '../errors.ts';

export type ExperimentDefinition = Omit<Experiment, 'version' | 'status' | 'createdAt' | 'startedAt' | 'stoppedAt'>;

export type NewExperiment = Omit<ExperimentRequest, 'status'>;

/** Metrics recorded by every digest, with their better directions: the mean over a subject's digests (a ratio by digests). */
export const AUTOMATIC_METRICS = {
  'digest.documentCoverage': 'increase',
  'digest.redundancy': 'decrease',
  'digest.relevance': 'increase',
  'digest.compression': 'decrease',
  'digest.support': 'increase',
  'digest.latency': 'decrease',
  'digest.tokens': 'decrease',
  'digest.cost': 'decrease',
} as const;
export type AutomaticMetric = keyof typeof AUTOMATIC_METRICS;

export function isAutomatic(key: string): key is AutomaticMetric {
  return Object.hasOwn(AUTOMATIC_METRICS, key);
}

type MeasuredMetric = Omit<Guardrail, 'margin'> & Pick<MetricResult, 'role'> & { readonly margin: number | null };

/** The metrics of a version. Stored outcomes use indices into this list; automatic ones come last, so that new ones move none. */
export function metricsOf({
  metrics,
  guardrails,
}: Pick<ExperimentDefinition, 'metrics' | 'guardrails'>): MeasuredMetric[] {
  const claimed = new Set([...metrics, ...guardrails].map(({ key }) => key));
  const automatic = Object.entries(AUTOMATIC_METRICS).filter(([key]) => !claimed.has(key));
  const own = { type: 'ratio', minimumEffect: null, role: 'automatic', margin: null } as const;
  return [
    ...metrics.map((metric) => ({ ...metric, role: 'goal' as const, margin: null })),
    ...guardrails.map((metric) => ({ ...metric, role: 'guardrail' as const })),
    ...automatic.map(([key, direction]) => ({ ...own, key, direction })),
  ];
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
  const period = { startedAt: timeOf(startedAt), stoppedAt: timeOf(stoppedAt) };
  const status = stateOf(stored);
  return { ...definitionOf(stored), version, status, createdAt: new Date(createdAt).toISOString(), ...period };
}

function timeOf(milliseconds: number | null): string | null {
  return milliseconds === null ? null : new Date(milliseconds).toISOString();
}

export function definitionOf({ definition }: StoredExperiment): ExperimentDefinition {
  const { layer: _, ...kept } = JSON.parse(definition); // only this service writes them; old ones may have a layer
  return kept;
}

export function stateOf({ startedAt, stoppedAt }: StoredExperiment): ExperimentState {
  if (startedAt === null) return 'draft';
  return stoppedAt === null ? 'running' : 'stopped';
}

/** The first of these that is a problem. */
export function firstProblem(
  found: readonly (readonly [pointer: string, detail: string | false | null])[],
): PointedProblem | null {
  for (const [pointer, detail] of found) if (detail) return { pointer, detail };
  return null;
}

/** What is wrong with an id whose length fits: control characters and lone surrogates do not survive storage. */
export function problemOfId(id: string): string | null {
  return /\p{Cc}|\p{Cs}/u.test(id) ? 'holds a control character or half of a surrogate pair' : null;
}
