import { and, asc, eq, gt, type SQL, sql } from 'drizzle-orm';
import type { BatchItem } from 'drizzle-orm/batch';
import type { Connection, Database } from './database.ts';
import { type Lease, whileRunning } from './jobs.ts';
import { cutText, fitsCell, insertRows, valuesOf } from './rows.ts';
import { jobCheckpoints, jobEvents } from './schema.ts';
import { checkpointKind, deleteCheckpoints, insertDigestChunks, readDigestChunks } from './text-parts.ts';

/** An event of a job; its data is JSON, null if it is the digest's answer. */
export type JobEvent = Readonly<Omit<typeof jobEvents.$inferSelect, 'tenant' | 'jobId'>>;

/** Statements that append events if the condition holds, without events too long for a row: the digest has their content too. */
export function appendEvents(
  connection: Connection,
  { id, tenant }: Pick<Lease, 'id' | 'tenant'>,
  events: readonly Omit<JobEvent, 'number'>[],
  condition?: SQL,
): BatchItem<'sqlite'>[] {
  const kept = events.filter(({ data }) => data === null || fitsCell(data)).map(({ event, data }) => ({ event, data }));
  // `key` counts the rows of one statement from 0.
  const number = sql`(select coalesce(max(number), 0) + 1 from ${jobEvents} where job_id = ${id}) + key`;
  return insertRows(connection, jobEvents, { tenant, jobId: id, number }, kept, condition);
}

/** What earlier attempts told of each sentence, as JSON by its index. */
export async function readSentences({ query }: Connection, id: string): Promise<Map<number, string>> {
  const { data, number, event, jobId } = jobEvents;
  const rows = await query
    .select({ index: sql<number>`${data} ->> '$.index'`, data: sql<string>`${data}` })
    .from(jobEvents)
    .where(and(eq(jobId, id), eq(event, 'sentence')))
    .orderBy(asc(number));
  return new Map(rows.map(({ index, data }) => [index, data]));
}

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

type Checkpoint = Pick<typeof jobCheckpoints.$inferSelect, 'key' | 'value'>;

/** Checkpoints of a job by stage. */
export async function readCheckpoints(connection: Connection, id: string): Promise<Map<string, Checkpoint>> {
  const rows = await connection.query.select().from(jobCheckpoints).where(eq(jobCheckpoints.jobId, id));
  const found = new Map<string, Checkpoint>();
  for (const { stage, key, value: short, parts } of rows) {
    const value = parts === 0 ? short : await readDigestChunks(connection, id, checkpointKind(stage), parts);
    if (value !== undefined) found.set(stage, { key, value });
  }
  return found;
}

/** Saves a checkpoint while this attempt is under way. */
export async function saveCheckpoint(
  connection: Connection,
  lease: Lease,
  { stage, key, value: long }: Checkpoint & { readonly stage: string },
): Promise<void> {
  const { id, tenant } = lease;
  const running = whileRunning(lease);
  const { text: value, parts } = cutText(long);
  const row = valuesOf(jobCheckpoints, { tenant, jobId: id, stage, key, value, parts: parts.length });
  await connection.commit([
    ...deleteCheckpoints(connection, id, running, stage),
    connection.query.insert(jobCheckpoints).select(sql`select ${row} where ${running}`),
    ...insertDigestChunks(connection, lease, checkpointKind(stage), parts, running),
  ]);
}
