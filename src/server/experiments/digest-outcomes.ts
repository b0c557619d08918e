import type { SQL } from 'drizzle-orm';
import type { BatchItem } from 'drizzle-orm/batch';
import type { Digest } from '../../contract/index.ts';
import type { ExperimentOfRequest } from '../../digest/index.ts';
import { mean } from '../../evaluation/index.ts';
import { type Database, insertOutcomes } from '../../store/index.ts';
import { type AutomaticMetric, metricsOf, readExperiment } from './experiment.ts';

interface EndedDigest {
  readonly digest: Digest;
  readonly experiment: ExperimentOfRequest;
  readonly acceptedAt: number;
  readonly milliseconds: number;
}

/**
 * Idempotent statements for the automatic metrics in the commit that ends the job, if `guard` holds. A digest accepted before the
 * experiment stopped still counts.
 *
 * @throws ExperimentNotFoundError
 */
export async function digestOutcomes(
  ended: EndedDigest,
  database: Database,
  guard: SQL,
): Promise<BatchItem<'sqlite'>[]> {
  const { acceptedAt: at, digest } = ended;
  const { key, version, subject } = ended.experiment;
  const experiment = await readExperiment(database, key, version);
  const { stoppedAt } = experiment;
  const falls = stoppedAt !== null && at > Date.parse(stoppedAt) ? ('after' as const) : ('within' as const);
  const values: Readonly<Record<string, number>> = automaticValues(ended);
  const outcomes = metricsOf(experiment).flatMap(({ key: name }, metric) => {
    const event = `${digest.id}/${name}`;
    if (values[name] === undefined) return [];
    return [{ event, subject, version, metric, value: values[name], denominator: 1, at, falls }];
  });
  return insertOutcomes(database, key, outcomes, new Map(), guard);
}

/** Omits unknown values, such as the cost of a model without a price. */
export function automaticValues({
  digest: { metrics, summary, usage },
  milliseconds,
}: Pick<EndedDigest, 'digest' | 'milliseconds'>): Readonly<Partial<Record<AutomaticMetric, number>>> {
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
