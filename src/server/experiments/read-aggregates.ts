import { type Database, readDataState, readSums, type StoredAggregates } from '../../store/index.ts';
import type { ExperimentAggregates, MetricSums } from './aggregates.ts';
import type { Experiment } from './experiment.ts';
import { ExperimentNotFoundError } from './experiment-not-found-error.ts';
import { metricsOf } from './metrics-of.ts';

/** Aggregates by tenant, key and version, for each database. */
const known = new WeakMap<Database['query'], Map<string, ExperimentAggregates>>();

/** Versions whose aggregates are held. */
const MAX_KNOWN = 100;

/**
 * What a version's subjects come to: every metric and variant, also those of which there is nothing yet. Added up by the database, and
 * held until the data version changes.
 *
 * @throws ExperimentNotFoundError
 */
export async function readAggregates(database: Database, experiment: Experiment): Promise<ExperimentAggregates> {
  const { key, version, variants, createdAt } = experiment;
  // Before the sums: where more is written meanwhile, they are read again next time.
  const state = await readDataState(database, key, version);
  if (state === undefined) throw new ExperimentNotFoundError(key, version);
  const name = JSON.stringify([database.tenant, key, version, createdAt]);
  const held = known.get(database.query) ?? new Map<string, ExperimentAggregates>();
  known.set(database.query, held);
  const last = held.get(name);
  if (last?.dataVersion === state.dataVersion) return last;
  const metrics = metricsOf(experiment);
  const stored = await readSums(database, key, version, variants.length, (place) => metrics[place].type === 'ratio');
  const { dataVersion, ...ignored } = state;
  const aggregates = {
    exposed: variants.map((variant, place) => ({ variant: variant.name, subjects: stored.exposed[place] })),
    overridden: stored.overridden,
    sums: sumsOf(experiment, stored),
    ignored,
    dataVersion,
  };
  held.delete(name);
  held.set(name, aggregates);
  if (held.size > MAX_KNOWN) for (const oldest of [...held.keys()].slice(0, 1)) held.delete(oldest);
  return aggregates;
}

const NOTHING = { x: 0, xx: 0, y: 0, yy: 0, xy: 0, events: 0, subjects: 0, active: 0 };

function sumsOf(experiment: Experiment, { sums }: StoredAggregates): MetricSums[] {
  const found = new Map(sums.map((sum) => [`${sum.metric} ${sum.variant}`, sum]));
  return metricsOf(experiment).flatMap(({ key, type }, metric) =>
    experiment.variants.map(({ name }, variant) => {
      const sum = found.get(`${metric} ${variant}`);
      if (sum === undefined) return { metric: key, variant: name, ...NOTHING };
      const { metric: _, variant: __, positive, ...sums } = sum;
      const shares = type === 'binomial' ? { x: positive, xx: positive, active: positive } : {}; // several conversions are one
      return { metric: key, variant: name, ...sums, ...shares };
    }),
  );
}
