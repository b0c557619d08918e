import { type SQL, sql } from 'drizzle-orm';
import { nextTurn } from '../text/index.ts';
import type { Database } from './database.ts';
import { numberOf, ofVersion } from './experiments.ts';
import { experimentExposures, experiments, experimentTotals } from './schema.ts';

/** Sums over the subjects of a variant that have outcomes of a metric; both are places in the definition. */
export interface StoredSums {
  readonly metric: number;
  readonly variant: number;
  readonly x: number;
  readonly xx: number;
  readonly y: number;
  readonly yy: number;
  readonly xy: number;
  /** Events, and subjects with any. */
  readonly events: number;
  readonly subjects: number;
  /** Subjects with x over 0, and with any x but 0. */
  readonly positive: number;
  readonly active: number;
}

/** What the subjects of a version come to. */
export interface StoredAggregates {
  /** Subjects by variant, without those that were overridden. */
  readonly exposed: readonly number[];
  readonly overridden: number;
  /** Without those that are 0. */
  readonly sums: readonly StoredSums[];
}

/** What a version says of its data. */
interface DataState {
  readonly beforeExposure: number;
  readonly afterStop: number;
  readonly overridden: number;
  readonly duplicates: number;
  readonly dataVersion: number;
}

/** What was left out of a version, and how often anything was written of it; undefined where there is none. */
export async function readDataState(database: Database, key: string, version: number): Promise<DataState | undefined> {
  const { beforeExposure, afterStop, overridden, duplicates, dataVersion } = experiments;
  const [row] = await database.query
    .select({ beforeExposure, afterStop, overridden, duplicates, dataVersion })
    .from(experiments)
    .where(ofVersion(database, key, version));
  return row;
}

/**
 * Adds up a version metric by metric, and lets others run in between: what is written meanwhile may be in the later sums alone,
 * and raises the data version. Exposures are counted last, so that no subject with an outcome is missing.
 *
 * @param variants how many the version has
 * @param isRatio whether a metric, by its place, has denominators; sums of others need not be made
 */
export async function readSums(
  database: Database,
  key: string,
  version: number,
  variants: number,
  isRatio: (metric: number) => boolean = () => true,
): Promise<StoredAggregates> {
  const { query } = database;
  const [row] = await query
    .select({ kept: experiments.kept })
    .from(experiments)
    .where(ofVersion(database, key, version));
  if (row?.kept != null) return JSON.parse(row.kept);
  const sums: StoredSums[] = [];
  for (let metric = await nextMetric(database, key, version, -1); metric !== null; ) {
    sums.push(...(await query.all<StoredSums>(sumsOf(database, key, version, metric, isRatio(metric)))));
    await nextTurn();
    metric = await nextMetric(database, key, version, metric);
  }
  return { ...(await countExposed(database, key, version, variants)), sums };
}

/** The sums of a metric by variant. Rows come in the order of the key, so that nothing is sorted and sums always round the same. */
export function sumsOf(database: Database, key: string, version: number, metric: number, isRatio: boolean): SQL {
  return sql`select metric, variant, sum(x + x_low) as x, sum((x + x_low) * (x + x_low)) as xx,
      ${isRatio ? DENOMINATORS : sql`0 as y, 0 as yy, 0 as xy`},
      sum(events) as events, count(*) as subjects, sum(x + x_low > 0) as positive,
      sum(x + x_low <> 0) as active
    from ${experimentTotals} where ${inVersion(database, key, version)} and metric = ${metric} group by variant`;
}

const DENOMINATORS = sql`sum(y + y_low) as y, sum((y + y_low) * (y + y_low)) as yy, sum((x + x_low) * (y + y_low)) as xy`;

/** The next metric that has outcomes. */
async function nextMetric(database: Database, key: string, version: number, after: number): Promise<number | null> {
  const [row] = await database.query.all<{ metric: number | null }>(
    sql`select min(metric) as metric from ${experimentTotals} where ${inVersion(database, key, version)} and metric > ${after}`,
  );
  return row.metric;
}

/** Counts in one pass, which sorts nothing. */
async function countExposed(
  database: Database,
  key: string,
  version: number,
  variants: number,
): Promise<Pick<StoredAggregates, 'exposed' | 'overridden'>> {
  const counts = Array.from({ length: variants }, (_, variant) =>
    sql.raw(`count(*) filter (where variant = ${variant} and overridden = 0) as v${variant}`),
  );
  const [row] = await database.query.all<Record<string, number>>(
    sql`select coalesce(sum(overridden), 0) as overridden, ${sql.join(counts, sql`, `)}
      from ${experimentExposures} where ${inVersion(database, key, version)}`,
  );
  return { exposed: counts.map((_, variant) => row[`v${variant}`]), overridden: row.overridden };
}

function inVersion(database: Database, key: string, version: number): SQL {
  return sql`tenant = ${database.tenant} and experiment = ${numberOf(database, key)} and version = ${version}`;
}
