import type { Experiment, IgnoredOutcomes } from '../../contract/index.ts';
import { type Database, readDataState, readSums, type StoredAggregates } from '../../store/index.ts';
import { recentlyUsed } from '../../text/index.ts';
import { ExperimentNotFoundError } from '../errors.ts';
import { metricsOf } from './experiment.ts';

/** What the subjects of a version come to, by indexes of variants and metrics. */
export interface ExperimentAggregates extends StoredAggregates {
  readonly ignored: IgnoredOutcomes;
  readonly dataVersion: number;
}

const known = new WeakMap<Database['query'], ReturnType<typeof recentlyUsed<ExperimentAggregates>>>();

const MAX_KNOWN = 100;

/** Cached until the data version changes. @throws ExperimentNotFoundError */
export async function readAggregates(database: Database, experiment: Experiment): Promise<ExperimentAggregates> {
  const { key, version, variants, createdAt } = experiment;
  // Read before the sums, so that a concurrent write invalidates the cache.
  const state = await readDataState(database, key, version);
  if (state === undefined) throw new ExperimentNotFoundError(version);
  const name = JSON.stringify([database.tenant, key, version, createdAt]);
  const held = known.get(database.query) ?? recentlyUsed<ExperimentAggregates>(MAX_KNOWN, () => 1);
  known.set(database.query, held);
  const last = held.get(name);
  if (last?.dataVersion === state.dataVersion) return last;
  const metrics = metricsOf(experiment);
  const { dataVersion, ...ignored } = state;
  const sums = await readSums(database, key, version, variants.length, (place) => metrics[place].type === 'ratio');
  const aggregates = { ...sums, ignored, dataVersion };
  held.keep(name, aggregates);
  return aggregates;
}
