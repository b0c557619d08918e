import { type SQL, sql } from 'drizzle-orm';
import type { BatchItem } from 'drizzle-orm/batch';
import type { Database } from './database.ts';
import { numberOf } from './experiments.ts';
import { experimentEvents, experimentExposures, experiments, experimentTotals } from './schema.ts';

/** An outcome of a subject that was exposed. */
export interface NewOutcome {
  /** Makes it count once in its experiment. */
  readonly event: string;
  readonly subject: string;
  readonly version: number;
  /** Place among the version's metrics, from 0. */
  readonly metric: number;
  readonly value: number;
  /** 0 but for ratios. */
  readonly denominator: number;
  readonly at: number;
  /** Whether it falls between the subject's exposure and the end of the version; others are kept and not counted. */
  readonly falls: 'within' | 'before' | 'after';
}

/** Which of these events of an experiment are known. */
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
 * Statements that keep outcomes and count them, to be written at once and in this order. An event that was written before
 * counts as a duplicate, whoever wrote it when.
 *
 * @param outcomes of subjects that were exposed, each event once
 * @param duplicates that were left out already, by version
 * @param guard what must hold for anything to be written
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

/** Outcomes as rows of one parameter, however many there are. */
function givenRows(outcomes: readonly NewOutcome[]): SQL {
  const rows = outcomes.map((row) => [
    row.event,
    row.subject,
    row.version,
    row.metric,
    row.value,
    row.denominator,
    row.at,
    row.falls,
  ]);
  return sql`with given (event, subject, version, metric, value, denominator, at, falls) as materialized
    (select value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, value ->> 6, value ->> 7
      from json_each(${JSON.stringify(rows)}))`;
}

/** What adding `excluded.field` to `field` rounds away (Neumaier 1974, "Rundungsfehleranalyse einiger Verfahren", algorithm IV). */
function rounding(field: SQL): SQL {
  return sql`case when abs(${field}) >= abs(excluded.${field}) then (${field} - (${field} + excluded.${field})) + excluded.${field}
    else (excluded.${field} - (${field} + excluded.${field})) + ${field} end`;
}
