import { and, eq, sql } from 'drizzle-orm';
import type { Connection } from './database.ts';
import { isUnderWay, type Lease } from './jobs.ts';
import { jobCheckpoints } from './schema.ts';

/** What finished stages of a job left, by stage. */
export async function readCheckpoints(
  { query }: Connection,
  id: string,
): Promise<Map<string, { readonly key: string; readonly value: string }>> {
  const rows = await query.select().from(jobCheckpoints).where(eq(jobCheckpoints.jobId, id));
  return new Map(rows.map(({ stage, key, value }) => [stage, { key, value }]));
}

/** Keeps what a stage left, while this attempt is under way. */
export async function saveCheckpoint(
  { query, commit }: Connection,
  lease: Lease,
  { stage, key, value }: { readonly stage: string; readonly key: string; readonly value: string },
): Promise<void> {
  await commit([
    query
      .delete(jobCheckpoints)
      .where(and(eq(jobCheckpoints.jobId, lease.id), eq(jobCheckpoints.stage, stage), isUnderWay(lease))),
    query
      .insert(jobCheckpoints)
      .select(sql`select ${lease.tenant}, ${lease.id}, ${stage}, ${key}, ${value} where ${isUnderWay(lease)}`),
  ]);
}
