import { and, asc, eq, gt, type SQL, sql } from 'drizzle-orm';
import type { BatchItem } from 'drizzle-orm/batch';
import type { Connection, Database } from './database.ts';
import type { Lease } from './jobs.ts';
import { cell, fitsCell, jsonRows } from './json-rows.ts';
import { jobEvents } from './schema.ts';

/** What a job told. */
export interface JobEvent {
  /** Counts up from 1. */
  readonly number: number;
  readonly event: string;
  /** JSON; null where it is the digest's answer. */
  readonly data: string | null;
}

/**
 * Statements that note events, where the condition holds; an event that is too long for a row is left out, for the digest tells
 * it too.
 */
export function insertEvents(
  { query }: Connection,
  { id, tenant }: Pick<Lease, 'id' | 'tenant'>,
  events: readonly JobEvent[],
  condition: SQL,
): BatchItem<'sqlite'>[] {
  const kept = events.filter(({ data }) => data === null || fitsCell(data));
  return [...jsonRows(kept.map(({ number, event, data }) => [number, event, data]))].map((json) =>
    query
      .insert(jobEvents)
      .select(
        sql`select ${tenant}, ${id}, ${cell(0)}, ${cell(1)}, ${cell(2)} from json_each(${json}) where ${condition}`,
      ),
  );
}

/** A statement that notes the last event of a job, where the condition holds; it goes after all that are there. */
export function insertLastEvent(
  { query }: Connection,
  { id, tenant }: Pick<Lease, 'id' | 'tenant'>,
  { event, data }: Omit<JobEvent, 'number'>,
  condition: SQL,
): BatchItem<'sqlite'> {
  const next = sql`(select coalesce(max(number), 0) + 1 from ${jobEvents} where job_id = ${id})`;
  return query.insert(jobEvents).select(sql`select ${tenant}, ${id}, ${next}, ${event}, ${data} where ${condition}`);
}

/** Events of a job of this tenant after this one, in order. */
export async function readEvents(
  { query, tenant }: Database,
  id: string,
  after: number,
  limit = 200,
): Promise<JobEvent[]> {
  return query
    .select({ number: jobEvents.number, event: jobEvents.event, data: jobEvents.data })
    .from(jobEvents)
    .where(and(eq(jobEvents.tenant, tenant), eq(jobEvents.jobId, id), gt(jobEvents.number, after)))
    .orderBy(asc(jobEvents.number))
    .limit(limit);
}
