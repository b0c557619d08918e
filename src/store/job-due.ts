import { and, eq } from 'drizzle-orm';
import type { Connection } from './database.ts';
import { jobs } from './schema.ts';

/** In how many milliseconds a job that waits to be begun may be; null where it does not wait. */
export async function jobDue({ query, now }: Connection, id: string): Promise<number | null> {
  const [row] = await query
    .select({ notBefore: jobs.notBefore })
    .from(jobs)
    .where(and(eq(jobs.id, id), eq(jobs.state, 'queued')));
  return row === undefined ? null : Math.max(0, row.notBefore - now());
}
