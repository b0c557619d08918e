import { and, desc, eq, inArray, type SQL, sql } from 'drizzle-orm';
import type { BatchItem } from 'drizzle-orm/batch';
import type { Connection, Database } from './database.ts';
import { cutText } from './rows.ts';
import { digests, jobCheckpoints, jobEvents, jobs, webhooks } from './schema.ts';
import { deleteCheckpointChunks, insertDigestChunks } from './text-parts.ts';

/** A job held by its runner. Writes of an attempt do nothing once another attempt has begun. */
export interface Lease {
  readonly id: string;
  readonly tenant: string;
  readonly attempt: number;
  readonly retries: number;
  readonly priority: number;
  readonly callbackUrl: string | null;
  readonly createdAt: number;
  /** Attempts whose runner disappeared. */
  readonly crashes: number;
}

interface NewJob {
  readonly id: string;
  readonly priority: number;
  readonly retries: number;
  readonly callbackUrl: string | null;
  /** Who runs it at once; null leaves it to any worker. */
  readonly lease: { readonly owner: string; readonly until: number } | null;
}

export function insertJob({ query, tenant, now }: Database, { lease, ...job }: NewJob): BatchItem<'sqlite'> {
  const createdAt = now();
  const taken =
    lease === null
      ? { state: 'queued' }
      : { state: 'running', attempt: 1, owner: lease.owner, leaseUntil: lease.until };
  return query.insert(jobs).values({ ...job, ...taken, tenant, notBefore: createdAt, createdAt });
}

/** Condition: this attempt is under way. */
function isCurrent({ id, attempt }: Pick<Lease, 'id' | 'attempt'>): SQL {
  return sql`${jobs.id} = ${id} and ${jobs.attempt} = ${attempt} and ${jobs.state} = 'running'`;
}

/** The same for rows written along with the job. */
export function isUnderWay(lease: Pick<Lease, 'id' | 'attempt'>): SQL {
  return sql`exists (select 1 from ${jobs} where ${isCurrent(lease)})`;
}

export interface JobEnd {
  readonly status: 'completed' | 'partial' | 'failed';
  /** JSON of the answer, or null. */
  readonly answer: string | null;
  /** JSON of the problem; null if there is an answer. */
  readonly problem: string | null;
}

/**
 * The reader's background and experiment subject are deleted once the digest is made. A failed digest keeps them for a retry.
 */
const WITHOUT_READER = sql`json_remove(${digests.request}, '$.intent.background', '$.experiment.subject')`;

type EndState = 'done' | 'failed';

/** Condition: this attempt ended its job with this state. The first end of a job stands. */
export function hasEnded({ id, attempt }: Pick<Lease, 'id' | 'attempt'>, state: EndState): SQL {
  return sql`exists (select 1 from ${jobs} where ${jobs.id} = ${id} and ${jobs.attempt} = ${attempt} and ${jobs.state} = ${state})`;
}

export function endStateOf({ answer }: Pick<JobEnd, 'answer'>): EndState {
  return answer === null ? 'failed' : 'done';
}

/**
 * Statements that end a job; they do nothing if another attempt has begun or the job was cancelled.
 * Statements to commit along go after them, guarded by `hasEnded`.
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

export async function wasEndedBy({ query }: Connection, lease: Lease, state: EndState): Promise<boolean> {
  const [row] = await query
    .select({ id: jobs.id })
    .from(jobs)
    .where(and(eq(jobs.id, lease.id), hasEnded(lease, state)));
  return row !== undefined;
}

/** Returns a job to the queue: at once and uncounted when this process stops, later and counted after a failure. */
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

/** Condition: the job has not ended. */
export function isOpen(id: string): SQL {
  return sql`exists (select 1 from ${jobs} where ${jobs.id} = ${id} and ${jobs.state} in ('queued', 'running'))`;
}

/** Statements that cancel an open job of this tenant; statements guarded by `isOpen` go before them. */
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

export async function readJob({ query, tenant }: Database, id: string) {
  const [row] = await query
    .select({ state: jobs.state, callbackUrl: jobs.callbackUrl, run: jobs.run })
    .from(jobs)
    .where(and(eq(jobs.tenant, tenant), eq(jobs.id, id)));
  return row;
}

export async function countOpenJobs({ query, tenant }: Database): Promise<number> {
  const [{ open }] = await query
    .select({ open: sql<number>`count(*)` })
    .from(jobs)
    .where(and(eq(jobs.tenant, tenant), inArray(jobs.state, ['queued', 'running'])));
  return open;
}

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

export function noteProgress({ query }: Connection, lease: Lease, progress: string): BatchItem<'sqlite'> {
  return query.update(jobs).set({ progress }).where(isCurrent(lease));
}

/** A job that failed for the last time. */
interface FailedJob {
  readonly id: string;
  readonly tenant: string;
  readonly attempt: number;
  /** JSON of the final problem. */
  readonly problem: string | null;
  readonly endedAt: number | null;
}

/** Failed jobs, latest first. */
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
  /** Retries after transient failures. */
  readonly retries: number;
  /** Max open jobs of the tenant. */
  readonly most: number;
  /** JSON of the event `accepted`. */
  readonly accepted: string;
}

/**
 * Statements that queue a failed job of this tenant again. They do nothing if it has not failed, or if the tenant has too many
 * open jobs.
 *
 * The event of the failure becomes the first of the new run under the same number, so that readers continue after it. A webhook
 * about the failure that is not delivered yet is deleted; the new run sends its own.
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
