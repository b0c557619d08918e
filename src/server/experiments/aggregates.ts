import type { IgnoredOutcomes } from '../../contract/index.ts';
import { type Database, readDataState, readSums, type StoredSums } from '../../store/index.ts';
import { ExperimentNotFoundError } from '../errors.ts';
import { type Experiment, metricsOf } from './experiment.ts';

/**
 * Sums over the subjects of a variant for one metric. x is the subject's value (1 or 0 for a binomial metric, the number of events for a
 * count), y its denominator (ratio metrics; otherwise 0). Subjects without an outcome count as 0.
 */
export interface MetricSums extends Omit<StoredSums, 'metric' | 'variant' | 'positive'> {
  readonly metric: string;
  readonly variant: string;
}

export interface ExperimentAggregates {
  readonly exposed: readonly { readonly variant: string; readonly subjects: number }[];
  readonly overridden: number;
  readonly sums: readonly MetricSums[];
  readonly ignored: IgnoredOutcomes;
  readonly dataVersion: number;
}

const known = new WeakMap<Database['query'], Map<string, ExperimentAggregates>>();

const MAX_KNOWN = 100;

const NOTHING = { x: 0, xx: 0, y: 0, yy: 0, xy: 0, events: 0, subjects: 0, active: 0 };

/** Totals of every metric and variant, including empty ones. Cached until the data version changes. @throws ExperimentNotFoundError */
export async function readAggregates(database: Database, experiment: Experiment): Promise<ExperimentAggregates> {
  const { key, version, variants, createdAt } = experiment;
  // Read before the sums, so that a concurrent write invalidates the cache.
  const state = await readDataState(database, key, version);
  if (state === undefined) throw new ExperimentNotFoundError(version);
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
    sums: namedSums(experiment, stored.sums),
    ignored,
    dataVersion,
  };
  held.delete(name);
  held.set(name, aggregates);
  for (const oldest of [...held.keys()].slice(0, -MAX_KNOWN)) held.delete(oldest);
  return aggregates;
}

function namedSums(experiment: Experiment, sums: readonly StoredSums[]): MetricSums[] {
  const found = new Map(sums.map((sum) => [`${sum.metric} ${sum.variant}`, sum]));
  return metricsOf(experiment).flatMap(({ key, type }, metric) =>
    experiment.variants.map(({ name }, variant) => {
      const sum = found.get(`${metric} ${variant}`);
      if (sum === undefined) return { metric: key, variant: name, ...NOTHING };
      const { metric: _, variant: __, positive, ...rest } = sum;
      const shares = type === 'binomial' ? { x: positive, xx: positive, active: positive } : {}; // several conversions count once
      return { metric: key, variant: name, ...rest, ...shares };
    }),
  );
}
