import type { ExperimentState } from '../../contract/index.ts';
import {
  type Database,
  listVersions,
  type Page,
  type PageRequest,
  readVersion,
  type StoredExperiment,
} from '../../store/index.ts';
import type { Experiment, ExperimentDefinition } from './experiment.ts';
import { ExperimentNotFoundError } from './experiment-not-found-error.ts';

/**
 * An experiment, by default in its newest version.
 *
 * @throws ExperimentNotFoundError
 */
export async function readExperiment(database: Database, key: string, version?: number): Promise<Experiment> {
  return experimentOf(await knownVersion(database, key, version));
}

/** The same as it is kept. */
export async function knownVersion(database: Database, key: string, version?: number): Promise<StoredExperiment> {
  const stored = await readVersion(database, key, version);
  if (stored === undefined) throw new ExperimentNotFoundError(key, version ?? null);
  return stored;
}

/**
 * Experiments in their newest versions, the newest experiment first.
 *
 * @throws InvalidCursorError
 */
export async function listExperiments(database: Database, request: PageRequest): Promise<Page<Experiment>> {
  const { rows, next } = await listVersions(database, request);
  return { rows: rows.map(experimentOf), next };
}

/** An experiment of what is kept. */
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
