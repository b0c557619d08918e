import { and, eq, inArray, type SQL, sql } from 'drizzle-orm';
import type { Connection } from './database.ts';
import type { Lease } from './jobs.ts';
import { inList } from './rows.ts';
import { jobs } from './schema.ts';

/** Milliseconds by which a job that a caller waits for overtakes others. */
const HEAD_START = 15_000;

/** A lease that seems longer was given before the clock was set back. */
const MAX_LEASE_LENGTH = 60 * 60 * 1000;

/** When a job can be taken: at once if the clock was set back meanwhile; later after each crash, since the job may be the cause. */
function takeableAt(time: number, lease: number): SQL {
  return sql`case
    when state = 'queued' then case when created_at > ${time} then 0 else not_before end
    when lease_until > ${time + MAX_LEASE_LENGTH} then 0
    else lease_until + crashes * ${lease} end`;
}

/** Condition: anybody can take the job. */
function takeable(time: number, lease: number): SQL {
  return sql`state in ('queued', 'running') and ${takeableAt(time, lease)} <= ${time}
    and (state = 'queued' or lease_until < ${time} or lease_until > ${time + MAX_LEASE_LENGTH})`;
}

/**
 * Takes the next queued job, or one whose lease of `lease` milliseconds has ended, in one statement: tenants with the fewest running jobs first,
 * then by age, with a head start for jobs that callers wait for. Null if there is none.
 */
export async function claimJob(
  connection: Connection,
  owner: string,
  lease: number,
  minPriority = 0,
): Promise<Lease | null> {
  const time = connection.now();
  const sameTenant = sql`select count(*) from jobs as own where own.tenant = jobs.tenant and own.state = 'running'`;
  const next = sql`(select id from jobs where ${takeable(time, lease)} and priority >= ${minPriority}
    order by (${sameTenant}), created_at - priority * ${HEAD_START}, id limit 1)`;
  return take(connection, sql`${jobs.id} = ${next}`, time, owner, lease);
}

/** Takes one job for `lease` milliseconds: queued, with an ended lease, or held by this same owner, who starts anew. Null otherwise. */
export async function takeJob(connection: Connection, id: string, owner: string, lease: number): Promise<Lease | null> {
  const time = connection.now();
  const own = and(eq(jobs.state, 'running'), eq(jobs.owner, owner));
  return take(connection, sql`${jobs.id} = ${id} and (${takeable(time, lease)} or ${own})`, time, owner, lease);
}

async function take(
  { query, write }: Connection,
  meant: SQL,
  time: number,
  owner: string,
  lease: number,
): Promise<Lease | null> {
  const taken = {
    state: 'running',
    owner,
    leaseUntil: time + lease,
    attempt: sql`${jobs.attempt} + 1`,
    crashes: sql`${jobs.crashes} + (${jobs.state} = 'running')`, // the state before: taking a held job counts as a crash
  };
  const [row] = await write(() => query.update(jobs).set(taken).where(meant).returning());
  return row ?? null;
}

/** Jobs that have been due for `since` milliseconds, and those whose lease has ended, oldest first. */
export async function orphanedJobs(
  { query, now }: Connection,
  lease: number,
  { since, limit }: { readonly since: number; readonly limit: number },
): Promise<readonly Pick<Lease, 'id' | 'attempt'>[]> {
  const time = now();
  return query
    .select({ id: jobs.id, attempt: jobs.attempt })
    .from(jobs)
    .where(and(takeable(time, lease), sql`(state = 'running' or ${takeableAt(time, lease)} <= ${time - since})`))
    .orderBy(jobs.createdAt, jobs.id)
    .limit(limit);
}

/** Milliseconds until a queued job is due; null if it is not queued. */
export async function jobDue({ query, now }: Connection, id: string): Promise<number | null> {
  const time = now();
  const [row] = await query
    .select({ at: sql<number>`${takeableAt(time, 0)}` })
    .from(jobs)
    .where(and(eq(jobs.id, id), eq(jobs.state, 'queued')));
  return row === undefined ? null : Math.max(0, row.at - time);
}

/** When the next job is due, from now on; null if none is open. */
export async function nextJobAt({ query, now }: Connection, lease: number): Promise<number | null> {
  const time = now();
  const [{ at }] = await query
    .select({ at: sql<number | null>`min(${takeableAt(time, lease)})` })
    .from(jobs)
    .where(inArray(jobs.state, ['queued', 'running']));
  return at === null ? null : Math.max(at, time);
}

/** Renews the leases of these jobs for `lease` milliseconds, and returns the attempts that the owner still holds, by id. */
export async function renewLeases(
  { query, write, now }: Connection,
  owner: string,
  ids: readonly string[],
  lease: number,
): Promise<ReadonlyMap<string, number>> {
  const rows = await write(() =>
    query
      .update(jobs)
      .set({ leaseUntil: now() + lease })
      .where(and(eq(jobs.owner, owner), eq(jobs.state, 'running'), inList(jobs.id, ids)))
      .returning({ id: jobs.id, attempt: jobs.attempt }),
  );
  return new Map(rows.map(({ id, attempt }) => [id, attempt]));
}
