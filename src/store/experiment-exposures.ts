import { and, type SQL, sql } from 'drizzle-orm';
import type { BatchItem } from 'drizzle-orm/batch';
import type { Database } from './database.ts';
import { numberOf, ofVersion } from './experiments.ts';
import { experimentExposures, experiments, experimentTotals } from './schema.ts';

/** That a subject saw a variant. */
export interface StoredExposure {
  readonly subject: string;
  readonly version: number;
  /** Place in the definition, from 0. */
  readonly variant: number;
  /** The first time. */
  readonly exposedAt: number;
  readonly overridden: boolean;
}

/** What subjects saw, in all versions of an experiment. */
export async function readExposures(
  database: Database,
  key: string,
  subjects: readonly string[],
): Promise<StoredExposure[]> {
  const { query, tenant } = database;
  // The subjects first: each is then looked up by the whole key.
  const rows = await query.all<Record<keyof StoredExposure, string & number>>(
    sql`select e.subject, e.version, e.variant, e.exposed_at as exposedAt, e.overridden
      from json_each(${JSON.stringify(subjects)}) as s
      cross join ${experiments} as v on v.tenant = ${tenant} and v.key = ${key}
      cross join ${experimentExposures} as e on e.tenant = ${tenant} and e.experiment = ${numberOf(database, key)}
        and e.version = v.version and e.subject = s.value`,
  );
  return rows.map(({ overridden, ...row }) => ({ ...row, overridden: overridden === 1 }));
}

/**
 * Statements that note that a subject saw a variant, where the version runs: the first time counts, and only that it was
 * overridden is noted later. What such a subject did is taken out of the totals. They must stay together, in this order.
 *
 * @param metrics how many the version has
 */
export function insertExposure(
  database: Database,
  key: string,
  { subject, version, variant, overridden }: Omit<StoredExposure, 'exposedAt'>,
  metrics: number,
): BatchItem<'sqlite'>[] {
  const { query, tenant, now } = database;
  const isVersion = ofVersion(database, key, version);
  const isSubject = ofSubject(database, key, { version, subject }, metrics);
  const values = sql`${tenant}, experiment, version, ${subject}, ${variant}, ${now()}, ${Number(overridden)}`;
  const insert = query
    .insert(experimentExposures)
    .select(
      sql`select ${values} from ${experiments} where ${isVersion} and started_at is not null and stopped_at is null`,
    )
    .onConflictDoUpdate({
      target: [
        experimentExposures.tenant,
        experimentExposures.experiment,
        experimentExposures.version,
        experimentExposures.subject,
      ],
      set: { overridden: 1 },
      setWhere: sql`excluded.overridden > ${experimentExposures.overridden}`,
    });
  const noted = query
    .update(experiments)
    .set({
      dataVersion: sql`${experiments.dataVersion} + 1`,
      ...(overridden && {
        overridden: sql`${experiments.overridden} + (select coalesce(sum(events), 0) from ${experimentTotals} where ${isSubject})`,
      }),
    })
    .where(and(isVersion, sql`changes() > 0`)); // of the statement before
  const isOverridden = sql`exists (select 1 from ${experimentExposures} where tenant = ${tenant}
    and experiment = ${numberOf(database, key)} and version = ${version} and subject = ${subject} and overridden = 1)`;
  const forget = query.delete(experimentTotals).where(and(isSubject, isOverridden));
  return overridden ? [insert, noted, forget] : [insert, noted];
}

/** The totals of a subject, metric by metric: the key begins with the metric. */
function ofSubject(
  database: Database,
  key: string,
  { version, subject }: Pick<StoredExposure, 'version' | 'subject'>,
  metrics: number,
): SQL {
  const { tenant } = database;
  const number = numberOf(database, key);
  const saw = sql`(select variant from ${experimentExposures} where tenant = ${tenant} and experiment = ${number}
    and version = ${version} and subject = ${subject})`;
  return sql`tenant = ${tenant} and experiment = ${number} and version = ${version} and metric in (select value from json_each(${JSON.stringify([...Array(metrics).keys()])}))
    and variant = ${saw} and subject = ${subject}`;
}
