import type { SQL } from 'drizzle-orm';
import type { BatchItem } from 'drizzle-orm/batch';
import type { Digest } from '../../contract/index.ts';
import { mean } from '../../evaluation/index.ts';
import { type Database, insertOutcomes } from '../../store/index.ts';
import type { EndedDigest } from '../jobs/run-job.ts';
import { type AutomaticMetric, type Experiment, metricsOf, readExperiment } from './experiment.ts';

/** Statements for the automatic metrics in the commit that ends the job, if `guard` holds. @throws ExperimentNotFoundError */
export async function digestOutcomes(
  { experiment: { key, version, subject }, ...given }: EndedDigest,
  database: Database,
  guard: SQL,
): Promise<BatchItem<'sqlite'>[]> {
  const experiment = await readExperiment(database, key, version);
  return automaticOutcomes(database, experiment, { ...given, subject }, guard);
}

interface GivenDigest {
  readonly digest: Pick<Digest, 'id' | 'metrics' | 'summary' | 'usage'>;
  readonly milliseconds: number;
  readonly subject: string;
  /** Milliseconds since 1970: a digest accepted before the experiment stopped still counts. */
  readonly acceptedAt: number;
}

/** Idempotent statements for the automatic metrics of a digest, if `guard` holds. `experiment` is in the subject's version. */
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

/** Omits unknown values, such as the cost of a model without a price. */
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
 * Share of citing sentences verified against their quotes, verbatim or judged; null if none cites. Falls back to the mean lexical support
 * for digests that predate recorded verification.
 */
export function meanSupport({ sentences }: Pick<Digest['summary'], 'sentences'>): number | null {
  return mean(
    sentences.flatMap(({ framing, support, verification }) => {
      if (framing) return [];
      if (verification == null) return support === null ? [] : [support];
      return [verification === 'unverified' ? 0 : 1];
    }),
  );
}
