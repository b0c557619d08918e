import { and, eq, sql } from 'drizzle-orm';
import type { Connection } from './database.ts';
import { checkpointKind, deleteCheckpointChunks, insertDigestChunks, readDigestChunks } from './digest-chunks.ts';
import { isUnderWay, type Lease } from './jobs.ts';
import { cutText } from './long-text.ts';
import { jobCheckpoints } from './schema.ts';

/** What finished stages of a job left, by stage. */
export async function readCheckpoints(
  connection: Connection,
  id: string,
): Promise<Map<string, { readonly key: string; readonly value: string }>> {
  const rows = await connection.query.select().from(jobCheckpoints).where(eq(jobCheckpoints.jobId, id));
  const found = new Map<string, { readonly key: string; readonly value: string }>();
  for (const { stage, key, value: short, parts } of rows) {
    const value = parts === 0 ? short : await readDigestChunks(connection, id, checkpointKind(stage), parts);
    if (value !== undefined) found.set(stage, { key, value });
  }
  return found;
}

/** Keeps what a stage left, while this attempt is under way. */
export async function saveCheckpoint(
  connection: Connection,
  lease: Lease,
  { stage, key, value }: { readonly stage: string; readonly key: string; readonly value: string },
): Promise<void> {
  const { query, commit } = connection;
  const isOurs = isUnderWay(lease);
  const { text, parts } = cutText(value);
  await commit([
    query
      .delete(jobCheckpoints)
      .where(and(eq(jobCheckpoints.jobId, lease.id), eq(jobCheckpoints.stage, stage), isOurs)),
    deleteCheckpointChunks(connection, lease.id, isOurs, stage),
    query
      .insert(jobCheckpoints)
      .select(sql`select ${lease.tenant}, ${lease.id}, ${stage}, ${key}, ${text}, ${parts.length} where ${isOurs}`),
    ...insertDigestChunks(connection, lease, checkpointKind(stage), parts, isOurs),
  ]);
}
