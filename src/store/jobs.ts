import { and, desc, eq, inArray, type SQL, sql } from 'drizzle-orm';
import type { BatchItem } from 'drizzle-orm/batch';
import type { Connection, Database } from './database.ts';
import { cutText } from './rows.ts';
import { digests, jobCheckpoints, jobEvents, jobs, webhooks } from './schema.ts';
import { deleteCheckpointChunks, insertDigestChunks } from './text-parts.ts';

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

interface NewJob {
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

/** That this attempt is still the one under way. */
function isCurrent({ id, attempt }: Pick<Lease, 'id' | 'attempt'>): SQL {
  return sql`${jobs.id} = ${id} and ${jobs.attempt} = ${attempt} and ${jobs.state} = 'running'`;
}

/** The same, for what is written beside the job. */
export function isUnderWay(lease: Pick<Lease, 'id' | 'attempt'>): SQL {
  return sql`exists (select 1 from ${jobs} where ${isCurrent(lease)})`;
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

/**
 * What the reader knows, and who they are to an experiment, is needed until the digest is made, and not kept beyond. A digest that
 * failed may still be made.
 */
const WITHOUT_READER = sql`json_remove(${digests.request}, '$.intent.background', '$.experiment.subject')`;

/** The state of a job that has ended: with an answer, or without. */
type EndState = 'done' | 'failed';

/** That this attempt ended its job, and so: an end that was written once is not written over by another. */
export function hasEnded({ id, attempt }: Pick<Lease, 'id' | 'attempt'>, state: EndState): SQL {
  return sql`exists (select 1 from ${jobs} where ${jobs.id} = ${id} and ${jobs.attempt} = ${attempt} and ${jobs.state} = ${state})`;
}

export function endStateOf({ answer }: Pick<JobEnd, 'answer'>): EndState {
  return answer === null ? 'failed' : 'done';
}

/**
 * Statements that end a job: all of them do nothing where another attempt has begun, or the job was cancelled.
 * What else must be written with it goes after them, guarded by `hasEnded`.
 */
export function endJob(connection: Connection, lease: Lease, end: JobEnd): BatchItem<'sqlite'>[] {
  const { query, now } = connection;
  const { text, parts } = end.answer === null ? { text: null, parts: [] } : cutText(end.answer);
  const state = endStateOf(end);
  const ended = hasEnded(lease, state);
  return [
    query
      .update(jobs)
      .set({ state, problem: end.problem, owner: null, leaseUntil: null, endedAt: now() })
      .where(isCurrent(lease)),
    query
      .update(digests)
      .set({
        status: end.status,
        answer: text,
        answerChunks: parts.length,
        ...(state === 'done' && { request: WITHOUT_READER }),
      })
      .where(and(eq(digests.id, lease.id), sql`${digests.answer} is null`, ended)),
    ...insertDigestChunks(connection, lease, 'answer', parts, ended),
    query.delete(jobCheckpoints).where(and(eq(jobCheckpoints.jobId, lease.id), ended)),
    deleteCheckpointChunks(connection, lease.id, ended),
  ];
}

/** Whether this attempt is the one that ended its job, and so. */
export async function wasEndedBy({ query }: Connection, lease: Lease, state: EndState): Promise<boolean> {
  const [row] = await query
    .select({ id: jobs.id })
    .from(jobs)
    .where(and(eq(jobs.id, lease.id), hasEnded(lease, state)));
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
      .where(isCurrent(lease))
      .returning({ id: jobs.id }),
  );
  return rows.length > 0;
}

/** That a job has not ended. */
export function isOpen(id: string): SQL {
  return sql`exists (select 1 from ${jobs} where ${jobs.id} = ${id} and ${jobs.state} in ('queued', 'running'))`;
}

/** Statements that cancel a job of this tenant that has not ended; what is written with it under `isOpen` goes before. */
export function cancelJob(database: Database, id: string): BatchItem<'sqlite'>[] {
  const { query, tenant, now } = database;
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
  const isOwn = sql`exists (select 1 from ${jobs} where ${jobs.id} = ${id} and ${jobs.tenant} = ${tenant})`;
  const leaveChunks = deleteCheckpointChunks(database, id, sql`${isOpen(id)} and ${isOwn}`);
  return [forget, leave, leaveChunks, cancel];
}

/** The work on a digest of this tenant, or undefined. */
export async function readJob({ query, tenant }: Database, id: string) {
  const [row] = await query
    .select({ state: jobs.state, callbackUrl: jobs.callbackUrl, run: jobs.run })
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

/** Notes how far a job is. */
export function noteProgress({ query }: Connection, lease: Lease, progress: string): BatchItem<'sqlite'> {
  return query.update(jobs).set({ progress }).where(isCurrent(lease));
}

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
