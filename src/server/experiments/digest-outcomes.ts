import type { SQL } from 'drizzle-orm';
import type { BatchItem } from 'drizzle-orm/batch';
import type { Digest } from '../../contract/index.ts';
import { type Database, insertOutcomes } from '../../store/index.ts';
import type { EndedDigest } from '../jobs/run-job.ts';
import type { AutomaticMetric, Experiment } from './experiment.ts';
import { meanSupport } from './mean-support.ts';
import { metricsOf } from './metrics-of.ts';
import { readExperiment } from './read-experiment.ts';

/**
 * What a digest tells of itself, as statements for the commit that ends its job.
 *
 * @param guard what must hold for anything to be written
 * @throws ExperimentNotFoundError where the experiment is gone
 */
export async function digestOutcomes(
  { experiment: { key, version, subject }, ...given }: EndedDigest,
  database: Database,
  guard: SQL,
): Promise<BatchItem<'sqlite'>[]> {
  const experiment = await readExperiment(database, key, version);
  return automaticOutcomes(database, experiment, { ...given, subject }, guard);
}

/** A digest that a subject was given. */
export interface GivenDigest {
  readonly digest: Pick<Digest, 'id' | 'metrics' | 'summary' | 'usage'>;
  /** From its acceptance to its end. */
  readonly milliseconds: number;
  readonly subject: string;
  /** When it was accepted, in milliseconds since 1970: a digest that the end of the experiment overtakes still counts. */
  readonly acceptedAt: number;
}

/** What a digest records by itself; what cannot be told, such as the cost of a model without a price, is left out. */
export function automaticValues({
  digest: { metrics, summary, usage },
  milliseconds,
}: Pick<GivenDigest, 'digest' | 'milliseconds'>): Readonly<Partial<Record<AutomaticMetric, number>>> {
  const all: Record<AutomaticMetric, number | null> = {
    'digest.documentCoverage': metrics.documentCoverage,
    'digest.redundancy': metrics.redundancy,
    'digest.relevance': metrics.relevance,
    'digest.compression': metrics.compression,
    'digest.support': meanSupport(summary),
    'digest.latency': milliseconds,
    'digest.tokens': usage.promptTokens + usage.completionTokens,
    'digest.cost': usage.cost,
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== null && Number.isFinite(value)));
}

/**
 * Statements that record what a digest tells of itself, for the commit that ends its job. A digest counts once, however often they
 * are written.
 *
 * @param experiment in the version that the subject saw
 * @param guard what must hold for anything to be written
 */
export function automaticOutcomes(
  database: Database,
  experiment: Experiment,
  given: GivenDigest,
  guard?: SQL,
): BatchItem<'sqlite'>[] {
  const { key, version, stoppedAt } = experiment;
  const { subject, acceptedAt: at } = given;
  const places = new Map(metricsOf(experiment).map((metric, place) => [metric.key, place]));
  const falls = stoppedAt !== null && at > stoppedAt ? ('after' as const) : ('within' as const);
  const outcomes = Object.entries(automaticValues(given)).flatMap(([name, value]) => {
    const metric = places.get(name);
    const event = `${given.digest.id}/${name}`;
    return metric === undefined ? [] : [{ event, subject, version, metric, value, denominator: 1, at, falls }];
  });
  return insertOutcomes(database, key, outcomes, new Map(), guard);
}
