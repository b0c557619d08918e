import { and, type SQL, sql } from 'drizzle-orm';
import type { BatchItem } from 'drizzle-orm/batch';
import { getTableConfig } from 'drizzle-orm/sqlite-core';
import { nextTurn } from '../text/index.ts';
import type { Database } from './database.ts';
import { IS_RUNNING, numberOf, ofVersion } from './experiments.ts';
import { cell, valuesOf } from './rows.ts';
import { experimentEvents, experimentExposures, experiments, experimentTotals } from './schema.ts';

/** The first time a subject saw a variant, by its index in the definition. */
export interface StoredExposure
  extends Readonly<Pick<typeof experimentExposures.$inferSelect, 'subject' | 'version' | 'variant' | 'exposedAt'>> {
  readonly overridden: boolean;
}

/** Exposures of subjects in all versions of an experiment. */
export async function readExposures(
  database: Database,
  key: string,
  subjects: readonly string[],
): Promise<StoredExposure[]> {
  const { query, tenant } = database;
  // Subjects first, so that each is looked up by the full key.
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
 * Statements that record that a subject saw a variant of a running version: the first time counts, and only an override is
 * added later, which removes the subject's outcomes from the totals. They must stay together, in this order.
 *
 * @param metrics number of metrics of the version
 */
export function insertExposure(
  database: Database,
  key: string,
  { subject, version, variant, overridden }: Omit<StoredExposure, 'exposedAt'>,
  metrics: number,
): BatchItem<'sqlite'>[] {
  const { query, tenant, now } = database;
  const isVersion = ofVersion(database, key, version);
  const row = { subject, variant, exposedAt: now(), overridden: Number(overridden) };
  const own = { tenant, experiment: sql`experiment`, version: sql`version` };
  const values = valuesOf(experimentExposures, { ...own, ...row });
  const insert = query
    .insert(experimentExposures)
    .select(sql`select ${values} from ${experiments} where ${isVersion} and ${IS_RUNNING}`)
    .onConflictDoUpdate({
      target: getTableConfig(experimentExposures).primaryKeys[0].columns,
      set: { overridden: 1 },
      setWhere: sql`excluded.overridden > ${experimentExposures.overridden}`,
    });
  const ofSubject = sql`tenant = ${tenant} and experiment = ${numberOf(database, key)} and version = ${version} and subject = ${subject}`;
  const exposure = sql`${experimentExposures} where ${ofSubject}`;
  // By metric and variant, since the key of the totals begins with them.
  const totals = sql`${ofSubject} and metric in (select value from json_each(${JSON.stringify([...Array(metrics).keys()])}))
    and variant = (select variant from ${exposure})`;
  const lost = sql`(select coalesce(sum(events), 0) from ${experimentTotals} where ${totals})`;
  const noted = query
    .update(experiments)
    .set({
      dataVersion: sql`${experiments.dataVersion} + 1`,
      ...(overridden && { overridden: sql`${experiments.overridden} + ${lost}` }),
    })
    .where(and(isVersion, sql`changes() > 0`)); // of the statement before
  const isOverridden = sql`exists (select 1 from ${exposure} and overridden = 1)`;
  const forget = query.delete(experimentTotals).where(and(totals, isOverridden));
  return overridden ? [insert, noted, forget] : [insert, noted];
}

export interface NewOutcome extends Readonly<Omit<typeof experimentEvents.$inferSelect, 'tenant' | 'experiment'>> {
  /** Only outcomes between the subject's exposure and the end of the version count. */
  readonly falls: 'within' | 'before' | 'after';
}

/** Events of these that the experiment has. */
export async function readKnownEvents(
  database: Database,
  key: string,
  events: readonly string[],
): Promise<ReadonlySet<string>> {
  const { query, tenant } = database;
  const rows = await query.all<{ event: string }>(
    sql`select k.event from json_each(${JSON.stringify(events)}) as g
      cross join ${experimentEvents} as k on k.tenant = ${tenant} and k.experiment = ${numberOf(database, key)} and k.event = g.value`,
  );
  return new Set(rows.map(({ event }) => event));
}

/**
 * Statements that save and count outcomes, to commit together and in this order. An event that exists counts as a duplicate,
 * whoever wrote it.
 *
 * @param outcomes of exposed subjects, each event once
 * @param duplicates already left out, by version
 * @param guard condition for writing anything
 */
export function insertOutcomes(
  database: Database,
  key: string,
  outcomes: readonly NewOutcome[],
  duplicates: ReadonlyMap<number, number> = new Map(),
  guard: SQL = sql`true`,
): BatchItem<'sqlite'>[] {
  const { query, tenant } = database;
  const number = numberOf(database, key);
  const given = givenRows(outcomes);
  const isNew = sql`not exists (select 1 from ${experimentEvents} as k
    where k.tenant = ${tenant} and k.experiment = ${number} and k.event = g.event)`;
  // The outcomes first: each subject is looked up by the whole key.
  const exposed = sql`from given as g cross join ${experimentExposures} as e on e.tenant = ${tenant}
    and e.experiment = ${number} and e.version = g.version and e.subject = g.subject`;
  const versions = [...new Set([...outcomes.map(({ version }) => version), ...duplicates.keys()])];
  const tally = sql`(${given}, tally as materialized (select g.version, g.falls, e.overridden, ${isNew} as fresh ${exposed})
    select v.value as version, sum(fresh and falls = 'before') as before, sum(fresh and falls = 'after') as after,
      sum(fresh and falls = 'within' and tally.overridden) as overridden, sum(not fresh) as duplicates
    from json_each(${JSON.stringify(versions)}) as v left join tally on tally.version = v.value group by v.value) as tally`;
  const known = sql`json_extract(${JSON.stringify(Object.fromEntries(duplicates))}, '$."' || ${experiments.version} || '"')`;
  return [
    query
      .insert(experimentTotals)
      .select(sql`${given} select e.tenant, e.experiment, e.version, g.metric, e.variant, e.subject,
        g.value, 0, g.denominator, 0, 1 ${exposed}
      where g.falls = 'within' and e.overridden = 0 and ${isNew} and (${guard})
      on conflict (tenant, experiment, version, metric, variant, subject) do update set
        x = x + excluded.x, x_low = x_low + ${rounding(sql.raw('x'))},
        y = y + excluded.y, y_low = y_low + ${rounding(sql.raw('y'))}, events = events + 1`),
    query
      .update(experiments)
      .set({
        dataVersion: sql`${experiments.dataVersion} + 1`,
        beforeExposure: sql`${experiments.beforeExposure} + coalesce(tally.before, 0)`,
        afterStop: sql`${experiments.afterStop} + coalesce(tally.after, 0)`,
        overridden: sql`${experiments.overridden} + coalesce(tally.overridden, 0)`,
        duplicates: sql`${experiments.duplicates} + coalesce(${known}, 0) + coalesce(tally.duplicates, 0)`,
      })
      .from(tally)
      .where(
        sql`${experiments.tenant} = ${tenant} and ${experiments.key} = ${key} and ${experiments.version} = tally.version and (${guard})`,
      ),
    query
      .insert(experimentEvents)
      .select(sql`${given} select e.tenant, e.experiment, g.event, e.version, e.subject, g.metric,
        g.value, g.denominator, g.at ${exposed} where (${guard}) on conflict do nothing`),
  ];
}

/** Any number of outcomes as rows of one parameter. */
function givenRows(outcomes: readonly NewOutcome[]): SQL {
  const names = ['event', 'subject', 'version', 'metric', 'value', 'denominator', 'at', 'falls'] as const;
  const rows = JSON.stringify(outcomes.map((outcome) => names.map((name) => outcome[name])));
  const cells = names.map((_, place) => cell(place));
  return sql`with given (${sql.raw(String(names))}) as materialized
    (select ${sql.join(cells, sql`, `)} from json_each(${rows}))`;
}

/** The rounding error of `field + excluded.field` (Neumaier 1974, "Rundungsfehleranalyse einiger Verfahren", algorithm IV). */
function rounding(field: SQL): SQL {
  return sql`case when abs(${field}) >= abs(excluded.${field}) then (${field} - (${field} + excluded.${field})) + excluded.${field}
    else (excluded.${field} - (${field} + excluded.${field})) + ${field} end`;
}

/**
 * Sums over the subjects of a variant with outcomes of a metric; both are indexes in the definition. x is the subject's value (a number of
 * events for a binomial metric or a count), y its denominator (0 unless the metric is a ratio).
 */
export interface StoredSums
  extends Readonly<Record<'metric' | 'variant' | 'x' | 'xx' | 'y' | 'yy' | 'xy' | 'events', number>> {
  /** Subjects with x > 0, and with x <> 0. */
  readonly positive: number;
  readonly active: number;
}

export interface StoredAggregates {
  /** Subjects by variant, without overridden ones. */
  readonly exposed: readonly number[];
  readonly overridden: number;
  /** Without zero sums. */
  readonly sums: readonly StoredSums[];
}

/** Counts of excluded outcomes of a version, and the version of its data; undefined if there is none. */
export async function readDataState(database: Database, key: string, version: number) {
  const { beforeExposure, afterStop, overridden, duplicates, dataVersion } = experiments;
  const [row] = await database.query
    .select({ beforeExposure, afterStop, overridden, duplicates, dataVersion })
    .from(experiments)
    .where(ofVersion(database, key, version));
  return row;
}

const DENOMINATORS = sql`sum(y + y_low) as y, sum((y + y_low) * (y + y_low)) as yy, sum((x + x_low) * (y + y_low)) as xy`;

/**
 * Sums a version metric by metric, yielding in between: outcomes written meanwhile may be in later sums only, and raise the
 * data version. Exposures are counted last, so that no subject with an outcome is missing.
 *
 * @param variants number of variants of the version
 * @param isRatio whether the metric at an index has denominators
 */
export async function readSums(
  database: Database,
  key: string,
  version: number,
  variants: number,
  isRatio: (metric: number) => boolean = () => true,
): Promise<StoredAggregates> {
  const { query, tenant } = database;
  const { kept } = experiments;
  const [row] = await query
    .select({ kept })
    .from(experiments)
    .where(ofVersion(database, key, version));
  if (row?.kept != null) return JSON.parse(row.kept);
  const inVersion = sql`tenant = ${tenant} and experiment = ${numberOf(database, key)} and version = ${version}`;
  const nextMetric = async (after: number) => {
    const [next] = await query.all<{ metric: number | null }>(
      sql`select min(metric) as metric from ${experimentTotals} where ${inVersion} and metric > ${after}`,
    );
    return next.metric;
  };
  const sums: StoredSums[] = [];
  for (let metric = await nextMetric(-1); metric !== null; metric = await nextMetric(metric)) {
    // Rows come in key order, so that nothing is sorted and sums always round the same.
    const byVariant = await query.all<StoredSums>(
      sql`select metric, variant, sum(x + x_low) as x, sum((x + x_low) * (x + x_low)) as xx,
          ${isRatio(metric) ? DENOMINATORS : sql`0 as y, 0 as yy, 0 as xy`}, sum(events) as events,
          sum(x + x_low > 0) as positive, sum(x + x_low <> 0) as active
        from ${experimentTotals} where ${inVersion} and metric = ${metric} group by variant`,
    );
    sums.push(...byVariant);
    await nextTurn();
  }
  const counts = Array.from({ length: variants }, (_, variant) =>
    sql.raw(`count(*) filter (where variant = ${variant} and overridden = 0) as v${variant}`),
  );
  const [exposed] = await query.all<Record<string, number>>(
    sql`select coalesce(sum(overridden), 0) as overridden, ${sql.join(counts, sql`, `)}
      from ${experimentExposures} where ${inVersion}`,
  );
  return {
    exposed: counts.map((_, variant) => exposed[`v${variant}`]),
    overridden: exposed.overridden,
    sums,
  };
}
