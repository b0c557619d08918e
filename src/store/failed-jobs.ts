import { and, desc, eq, sql } from 'drizzle-orm';
import type { BatchItem } from 'drizzle-orm/batch';
import type { Connection, Database } from './database.ts';
import { digests, jobEvents, jobs, webhooks } from './schema.ts';

/** A job that failed for good. */
interface FailedJob {
  readonly id: string;
  readonly tenant: string;
  /** How often it was begun. */
  readonly attempt: number;
  /** JSON of the problem that ended it. */
  readonly problem: string | null;
  readonly endedAt: number | null;
}

/** Jobs that failed for good, those that failed last first. */
export async function listFailedJobs(
  { query }: Connection,
  { tenant, limit }: { readonly tenant?: string | undefined; readonly limit: number },
): Promise<FailedJob[]> {
  return query
    .select({
      id: jobs.id,
      tenant: jobs.tenant,
      attempt: jobs.attempt,
      problem: jobs.problem,
      endedAt: jobs.endedAt,
    })
    .from(jobs)
    .where(and(eq(jobs.state, 'failed'), tenant === undefined ? undefined : eq(jobs.tenant, tenant)))
    .orderBy(desc(jobs.endedAt), desc(jobs.id))
    .limit(limit);
}

interface NewRun {
  /** How often it may be begun again after a failure that may pass. */
  readonly retries: number;
  /** Most jobs that the tenant may have under way. */
  readonly most: number;
  /** JSON that the event `accepted` carries. */
  readonly accepted: string;
}

/**
 * Statements that put a job of this tenant that failed for good back into the queue, as if it had just come. All of them do nothing
 * where it has not failed, or the tenant has as many under way as it may.
 *
 * The event that told of the failure becomes the first of the new run, under its number: who read it goes on behind it. A message
 * about the failure that is not delivered yet is dropped; the end of the new run is told by a message of its own.
 */
export function retryJob(
  { query, tenant, now }: Database,
  id: string,
  { retries, most, accepted }: NewRun,
): BatchItem<'sqlite'>[] {
  const time = now();
  const open = sql`(select count(*) from ${jobs} where tenant = ${tenant} and state in ('queued', 'running'))`;
  const mayRun = sql`exists (select 1 from ${jobs} where ${jobs.id} = ${id} and ${jobs.tenant} = ${tenant}
    and ${jobs.state} = 'failed') and ${open} < ${most}`;
  return [
    query
      .update(jobEvents)
      .set({ event: 'accepted', data: accepted })
      .where(and(eq(jobEvents.jobId, id), eq(jobEvents.event, 'error'), mayRun)),
    query.delete(webhooks).where(and(eq(webhooks.digestId, id), eq(webhooks.state, 'waiting'), mayRun)),
    query
      .update(digests)
      .set({ status: 'queued' })
      .where(and(eq(digests.id, id), mayRun)),
    query
      .update(jobs)
      .set({
        state: 'queued',
        run: sql`${jobs.run} + 1`,
        priority: 0,
        retries,
        crashes: 0,
        notBefore: time,
        progress: null,
        problem: null,
        createdAt: time,
        endedAt: null,
        isTrimmed: 0,
      })
      .where(and(eq(jobs.id, id), mayRun)),
  ];
}
