import { and, eq, inArray, type SQL, sql } from 'drizzle-orm';
import type { BatchItem } from 'drizzle-orm/batch';
import { type Connection, type Database, wrote } from './database.ts';
import { digests, jobEvents, jobs, webhooks } from './schema.ts';
import { answerRows, deleteCheckpoints, type MadeAnswer } from './text-parts.ts';

type JobRow = typeof jobs.$inferSelect;

/** A job held by its runner. Writes of an attempt do nothing once another attempt has begun. */
export type Lease = Readonly<
  Pick<JobRow, 'id' | 'tenant' | 'attempt' | 'retries' | 'priority' | 'callbackUrl' | 'createdAt' | 'crashes'>
>;

type Attempt = Pick<Lease, 'id' | 'attempt'>;

interface NewJob extends Pick<Lease, 'id' | 'priority' | 'retries' | 'callbackUrl' | 'createdAt'> {
  /** Who runs it at once; null leaves it to any worker. */
  readonly lease: { readonly owner: string; readonly until: number } | null;
}

export function insertJob({ query, tenant }: Database, { lease, ...job }: NewJob): BatchItem<'sqlite'> {
  const taken = lease && { state: 'running', attempt: 1, owner: lease.owner, leaseUntil: lease.until };
  return query.insert(jobs).values({ ...job, tenant, notBefore: job.createdAt, ...(taken ?? { state: 'queued' }) });
}

const OPEN = inArray(jobs.state, ['queued', 'running']);

/** What a job is without a runner. */
const UNHELD = { owner: null, leaseUntil: null };

/** Number of a tenant's open jobs, to await or as part of a statement. */
export function countOpenJobs({ query, tenant }: Database) {
  return query.$count(jobs, and(eq(jobs.tenant, tenant), OPEN));
}

function exists(condition: SQL | undefined): SQL {
  return sql`exists (select 1 from ${jobs} where ${condition})`;
}

function ofAttempt({ id, attempt }: Attempt, state: EndState | 'running') {
  return and(eq(jobs.id, id), eq(jobs.attempt, attempt), eq(jobs.state, state));
}

/** Condition: this attempt is under way. */
export function whileRunning(attempt: Attempt): SQL {
  return exists(ofAttempt(attempt, 'running'));
}

/** Condition: the job has not ended. */
export function whileOpen(id: string): SQL {
  return exists(and(eq(jobs.id, id), OPEN));
}

export interface JobEnd extends MadeAnswer {
  readonly status: 'completed' | 'partial' | 'failed';
  /** JSON of the problem; null if there is an answer. */
  readonly problem: string | null;
}

/** The background of the reader and the experiment subject are deleted once the digest is made; a failed digest keeps them for a retry. */
const WITHOUT_READER = sql`json_remove(${digests.request}, '$.intent.background', '$.experiment.subject')`;

type EndState = 'done' | 'failed';

/** Condition: this attempt ended its job with this state. The first end of a job stands. */
export function onceEnded(attempt: Attempt, state: EndState): SQL {
  return exists(ofAttempt(attempt, state));
}

export function endStateOf({ answer }: Pick<JobEnd, 'answer'>): EndState {
  return answer === null ? 'failed' : 'done';
}

/** Statements that end a job if this attempt runs it. Statements to commit along go after them, guarded by `onceEnded`. */
export function endJob(connection: Connection, lease: Lease, end: JobEnd): BatchItem<'sqlite'>[] {
  const { query, now } = connection;
  const { status, problem } = end;
  const state = endStateOf(end);
  const ended = onceEnded(lease, state);
  const { columns, statements } = answerRows(connection, lease, end, ended);
  const made = { status, ...columns, ...(state === 'done' && { request: WITHOUT_READER }) };
  const unanswered = and(eq(digests.id, lease.id), sql`${digests.answer} is null`, ended);
  const endedJob = { ...UNHELD, state, problem, endedAt: now() };
  return [
    query.update(jobs).set(endedJob).where(ofAttempt(lease, 'running')),
    query.update(digests).set(made).where(unanswered),
    ...statements,
    ...deleteCheckpoints(connection, lease.id, ended),
  ];
}

export async function wasEndedBy({ query }: Connection, lease: Lease, state: EndState): Promise<boolean> {
  return (await query.$count(jobs, ofAttempt(lease, state))) > 0;
}

/** Returns a job to the queue: at once and uncounted when this process stops, later and counted after a failure. */
export async function releaseJob(
  connection: Connection,
  lease: Lease,
  { delay, isCounted }: { readonly delay: number; readonly isCounted: boolean },
): Promise<boolean> {
  const { query, now } = connection;
  const retries = sql`${jobs.retries} - ${Number(isCounted)}`;
  const queued = { ...UNHELD, state: 'queued', notBefore: now() + delay, retries };
  return wrote(connection, query.update(jobs).set(queued).where(ofAttempt(lease, 'running')));
}

/** Statements that cancel an open job of this tenant; statements guarded by `whileOpen` go before them. */
export function cancelJob(database: Database, id: string): BatchItem<'sqlite'>[] {
  const { query, tenant, now } = database;
  const own = and(eq(jobs.tenant, tenant), eq(jobs.id, id), OPEN);
  const cancelled = { ...UNHELD, state: 'cancelled', endedAt: now() };
  const asked = and(eq(digests.id, id), exists(own));
  return [
    query.update(digests).set({ request: WITHOUT_READER }).where(asked),
    ...deleteCheckpoints(database, id, exists(own)),
    query.update(jobs).set(cancelled).where(own),
  ];
}

export async function readJob({ query, tenant }: Database, id: string) {
  const [row] = await query
    .select({ state: jobs.state, callbackUrl: jobs.callbackUrl, run: jobs.run })
    .from(jobs)
    .where(and(eq(jobs.tenant, tenant), eq(jobs.id, id)));
  return row;
}

export async function countJobs({ query }: Connection): Promise<{ readonly queued: number; readonly running: number }> {
  const inState = (state: string) => sql<number>`coalesce(sum(${jobs.state} = ${state}), 0)`;
  const [counts] = await query
    .select({ queued: inState('queued'), running: inState('running') })
    .from(jobs)
    .where(OPEN);
  return counts;
}

export function noteProgress({ query }: Connection, lease: Lease, progress: string): BatchItem<'sqlite'> {
  return query.update(jobs).set({ progress }).where(ofAttempt(lease, 'running'));
}

/**
 * Statements that queue a failed job of this tenant again, if it has fewer than `most` open jobs. The event of the failure becomes `accepted`
 * (JSON) under the same number, so that readers continue after it. A webhook about the failure that is not delivered yet is deleted.
 */
export function retryJob(
  database: Database,
  id: string,
  { retries, most, accepted }: { readonly retries: number; readonly most: number; readonly accepted: string },
): BatchItem<'sqlite'>[] {
  const { query, tenant, now } = database;
  const time = now();
  const failed = exists(and(eq(jobs.id, id), eq(jobs.tenant, tenant), eq(jobs.state, 'failed')));
  const mayRun = sql`${failed} and ${countOpenJobs(database)} < ${most}`;
  const anew = { state: 'queued', priority: 0, crashes: 0, progress: null, problem: null, endedAt: null, isTrimmed: 0 };
  const run = sql`${jobs.run} + 1`;
  const ofFailure = and(eq(jobEvents.jobId, id), eq(jobEvents.event, 'error'), mayRun);
  return [
    query.update(jobEvents).set({ event: 'accepted', data: accepted }).where(ofFailure),
    query.delete(webhooks).where(and(eq(webhooks.digestId, id), eq(webhooks.state, 'waiting'), mayRun)),
    query
      .update(digests)
      .set({ status: 'queued' })
      .where(and(eq(digests.id, id), mayRun)),
    query
      .update(jobs)
      .set({ ...anew, run, retries, notBefore: time, createdAt: time })
      .where(and(eq(jobs.id, id), mayRun)),
  ];
}
