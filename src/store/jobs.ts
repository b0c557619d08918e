import { and, eq, inArray, type SQL, sql } from 'drizzle-orm';
import type { BatchItem } from 'drizzle-orm/batch';
import type { Connection, Database } from './database.ts';
import { inList } from './in-list.ts';
import { digests, jobCheckpoints, jobs } from './schema.ts';

/** A job as who runs it holds it. A write of its attempt does nothing once another attempt has begun. */
export interface Lease {
  readonly id: string;
  readonly tenant: string;
  readonly attempt: number;
  readonly retries: number;
  readonly priority: number;
  readonly callbackUrl: string | null;
  readonly createdAt: number;
  /** How often who ran it was gone before the end. */
  readonly crashes: number;
}

export interface NewJob {
  readonly id: string;
  readonly priority: number;
  readonly retries: number;
  readonly callbackUrl: string | null;
  /** Who begins it at once; null leaves it to whoever comes first. */
  readonly lease: { readonly owner: string; readonly until: number } | null;
}

/** A statement that notes work to be done. */
export function insertJob({ query, tenant, now }: Database, { lease, ...job }: NewJob): BatchItem<'sqlite'> {
  const createdAt = now();
  const taken =
    lease === null
      ? { state: 'queued' }
      : { state: 'running', attempt: 1, owner: lease.owner, leaseUntil: lease.until };
  return query.insert(jobs).values({ ...job, ...taken, tenant, notBefore: createdAt, createdAt });
}

/** A job that a caller waits for goes before those that came so many milliseconds earlier, and nobody waits for. */
const HEAD_START = 15_000;

/** No lease lasts longer; one that seems to was given before the clock was set back. */
const LONGEST_LEASE = 60 * 60 * 1000;

/**
 * When a job can be taken: at once where the clock was set back since it came or was taken; after a crash later each time, for
 * it may be the cause.
 */
function takeableAt(time: number, lease: number): SQL {
  return sql`case
    when state = 'queued' then case when created_at > ${time} then 0 else not_before end
    when lease_until > ${time + LONGEST_LEASE} then 0
    else lease_until + crashes * ${lease} end`;
}

/**
 * Takes the next job that waits, or whose lease has ended, in one statement: tenants with the least under way first, then by
 * age, with a head start for those that callers wait for. Null where there is none.
 *
 * @param lease milliseconds for which it is held without a sign of life
 */
export async function claimJob(
  { query, write, now }: Connection,
  owner: string,
  lease: number,
  leastPriority = 0,
): Promise<Lease | null> {
  const time = now();
  const sameTenant = sql`select count(*) from jobs as own where own.tenant = jobs.tenant and own.state = 'running'`;
  const next = sql`(select id from jobs where state in ('queued', 'running') and priority >= ${leastPriority}
    and ${takeableAt(time, lease)} <= ${time} and (state = 'queued' or lease_until < ${time} or lease_until > ${time + LONGEST_LEASE})
    order by (${sameTenant}), created_at - priority * ${HEAD_START}, id limit 1)`;
  const [row] = await write(() =>
    query
      .update(jobs)
      .set({
        state: 'running',
        owner,
        leaseUntil: time + lease,
        attempt: sql`${jobs.attempt} + 1`,
        crashes: sql`${jobs.crashes} + (${jobs.state} = 'running')`, // the state before
      })
      .where(sql`${jobs.id} = ${next}`)
      .returning(),
  );
  return row ?? null;
}

/** That this attempt is still the one under way. */
function isHeld({ id, attempt }: Pick<Lease, 'id' | 'attempt'>): SQL {
  return sql`${jobs.id} = ${id} and ${jobs.attempt} = ${attempt} and ${jobs.state} = 'running'`;
}

/** The same, for what is written beside the job. */
export function isUnderWay(lease: Pick<Lease, 'id' | 'attempt'>): SQL {
  return sql`exists (select 1 from ${jobs} where ${isHeld(lease)})`;
}

/**
 * Makes leases last.
 *
 * @param ids of what its owner still works on; what it dropped, others may take when its lease ends
 * @returns the attempts that it still holds, by id
 */
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

/** How a job ended. */
export interface JobEnd {
  /** Status of the digest. */
  readonly status: 'completed' | 'partial' | 'failed';
  /** JSON of the answer; null where there is none. */
  readonly answer: string | null;
  /** JSON of the problem; null where there is an answer. */
  readonly problem: string | null;
}

/** What the reader knows, and who they are to an experiment, is needed until the digest is made, and not kept beyond. */
const WITHOUT_READER = sql`json_remove(${digests.request}, '$.intent.background', '$.experiment.subject')`;

/** That this attempt has just ended, as the last that will. */
export function hasEnded({ id, attempt }: Pick<Lease, 'id' | 'attempt'>): SQL {
  return sql`exists (select 1 from ${jobs} where ${jobs.id} = ${id} and ${jobs.attempt} = ${attempt} and ${jobs.state} in ('done', 'failed'))`;
}

/**
 * Statements that end a job: all of them do nothing where another attempt has begun, or the job was cancelled.
 * What else must be written with it goes after them, guarded by `hasEnded`.
 */
export function endJob({ query, now }: Connection, lease: Lease, end: JobEnd): BatchItem<'sqlite'>[] {
  const state = end.answer === null ? 'failed' : 'done';
  return [
    query
      .update(jobs)
      .set({ state, problem: end.problem, owner: null, leaseUntil: null, endedAt: now() })
      .where(isHeld(lease)),
    query
      .update(digests)
      .set({ status: end.status, answer: end.answer, request: WITHOUT_READER })
      .where(and(eq(digests.id, lease.id), sql`${digests.answer} is null`, hasEnded(lease))),
    query.delete(jobCheckpoints).where(and(eq(jobCheckpoints.jobId, lease.id), hasEnded(lease))),
  ];
}

/** Whether this attempt is the one that ended its job. */
export async function wasEndedBy({ query }: Connection, lease: Lease): Promise<boolean> {
  const [row] = await query
    .select({ id: jobs.id })
    .from(jobs)
    .where(and(eq(jobs.id, lease.id), hasEnded(lease)));
  return row !== undefined;
}

/** Gives a job up for others: at once and uncounted where this process stops, later and counted where it failed. */
export async function releaseJob(
  { query, write, now }: Connection,
  lease: Lease,
  { delay, isCounted }: { readonly delay: number; readonly isCounted: boolean },
): Promise<boolean> {
  const rows = await write(() =>
    query
      .update(jobs)
      .set({
        state: 'queued',
        owner: null,
        leaseUntil: null,
        notBefore: now() + delay,
        ...(isCounted ? { retries: sql`${jobs.retries} - 1` } : {}),
      })
      .where(isHeld(lease))
      .returning({ id: jobs.id }),
  );
  return rows.length > 0;
}

/** That a job has not ended. */
export function isOpen(id: string): SQL {
  return sql`exists (select 1 from ${jobs} where ${jobs.id} = ${id} and ${jobs.state} in ('queued', 'running'))`;
}

/** Statements that cancel a job of this tenant that has not ended; what is written with it under `isOpen` goes before. */
export function cancelJob({ query, tenant, now }: Database, id: string): BatchItem<'sqlite'>[] {
  const forget = query
    .update(digests)
    .set({ request: WITHOUT_READER })
    .where(and(eq(digests.tenant, tenant), eq(digests.id, id), isOpen(id)));
  const cancel = query
    .update(jobs)
    .set({ state: 'cancelled', owner: null, leaseUntil: null, endedAt: now() })
    .where(and(eq(jobs.tenant, tenant), eq(jobs.id, id), inArray(jobs.state, ['queued', 'running'])));
  const leave = query
    .delete(jobCheckpoints)
    .where(and(eq(jobCheckpoints.tenant, tenant), eq(jobCheckpoints.jobId, id), isOpen(id)));
  return [forget, leave, cancel];
}

/** The work on a digest of this tenant, or undefined. */
export async function readJob({ query, tenant }: Database, id: string) {
  const [row] = await query
    .select({ state: jobs.state, callbackUrl: jobs.callbackUrl })
    .from(jobs)
    .where(and(eq(jobs.tenant, tenant), eq(jobs.id, id)));
  return row;
}

/** Jobs of this tenant that have not ended. */
export async function countOpenJobs({ query, tenant }: Database): Promise<number> {
  const [{ open }] = await query
    .select({ open: sql<number>`count(*)` })
    .from(jobs)
    .where(and(eq(jobs.tenant, tenant), inArray(jobs.state, ['queued', 'running'])));
  return open;
}

/** Jobs of all tenants by state. */
export async function countJobs({ query }: Connection): Promise<{ readonly queued: number; readonly running: number }> {
  const [{ queued, running }] = await query
    .select({
      queued: sql<number>`coalesce(sum(${jobs.state} = 'queued'), 0)`,
      running: sql<number>`coalesce(sum(${jobs.state} = 'running'), 0)`,
    })
    .from(jobs)
    .where(inArray(jobs.state, ['queued', 'running']));
  return { queued, running };
}

/** When the next job can be taken that cannot be now; null where none waits. */
export async function nextJobAt({ query, now }: Connection, lease: number): Promise<number | null> {
  const time = now();
  const [{ at }] = await query
    .select({ at: sql<number | null>`min(${takeableAt(time, lease)})` })
    .from(jobs)
    .where(inArray(jobs.state, ['queued', 'running']));
  return at === null ? null : Math.max(at, time);
}

/** Notes how far a job is. */
export function noteProgress({ query }: Connection, lease: Lease, progress: string): BatchItem<'sqlite'> {
  return query.update(jobs).set({ progress }).where(isHeld(lease));
}
