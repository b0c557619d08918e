import { and, asc, eq, inArray, lt, sql } from 'drizzle-orm';
import type { Budget } from './budget.ts';
import { nextTurn } from '../text/chunks.ts';
import type { Connection } from './database.ts';
import { deleteInChunks } from './delete-in-chunks.ts';
import { inList } from './in-list.ts';
import { jobEvents, jobs } from './schema.ts';

/** Jobs looked at a time. */
const JOBS = 200;

/**
 * Deletes progress and sentences of jobs that ended before a time; whoever comes back later is told the end alone. A job whose
 * events are gone is marked, and not looked at again.
 *
 * @returns how many events went
 */
export async function sweepEvents(connection: Connection, before: number, budget: Budget): Promise<number> {
  const { query, commit } = connection;
  const last = sql`(select max(later.number) from ${jobEvents} as later where later.job_id = ${jobEvents.jobId})`;
  let total = 0;
  while (budget.spend(1)) {
    const ended = await query
      .select({ id: jobs.id })
      .from(jobs)
      .where(and(eq(jobs.isTrimmed, 0), lt(jobs.endedAt, before)))
      .orderBy(asc(jobs.endedAt))
      .limit(JOBS);
    if (ended.length === 0) break;
    const ids = ended.map(({ id }) => id);
    const passing = sql`${inList(jobEvents.jobId, ids)} and ${inArray(jobEvents.event, ['progress', 'sentence'])} and ${jobEvents.number} < ${last}`;
    total += await deleteInChunks(connection, jobEvents, passing, 500, budget);
    if (!budget.spend(1)) break;
    await commit([query.update(jobs).set({ isTrimmed: 1 }).where(inList(jobs.id, ids))]);
    await nextTurn();
  }
  return total;
}
