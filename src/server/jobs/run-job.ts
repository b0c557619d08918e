import type { SQL } from 'drizzle-orm';
import type { BatchItem } from 'drizzle-orm/batch';
import { nextTurn } from '../../text/chunks.ts';
import { type Database, forTenant } from '../../store/database.ts';
import { readDigestRequest } from '../../store/digests.ts';
import { readDocuments } from '../../store/documents.ts';
import { insertLastEvent } from '../../store/job-events.ts';
import { endJob, endStateOf, hasEnded, type JobEnd, type Lease, releaseJob, wasEndedBy } from '../../store/jobs.ts';
import { insertWebhook } from '../../store/webhooks.ts';
import type { Digest } from '../../contract/digest.ts';
import type { DigestParts } from '../../digest/digest-parts.ts';
import { makeDigest } from '../../digest/make-digest.ts';
import { planDigest } from '../../digest/plan-digest.ts';
import type { DigestRequest, ExperimentPart } from '../../contract/digest-request.ts';
import { webhookPayload } from '../webhooks/webhook-payload.ts';
import type { StoredRequest } from '../../contract/digest-order.ts';
import { eventLog } from './event-log.ts';
import { jobCheckpoints } from './job-checkpoints.ts';
import type { JobHappening } from './job-happenings.ts';

/** Why an attempt was ended from outside. */
export type EndedBy = 'cancelled' | 'lost' | 'stopping';

/** A digest of an experiment, when it ends. */
export interface EndedDigest {
  readonly digest: Digest;
  readonly experiment: ExperimentPart;
  /** When it was accepted, in milliseconds since 1970. */
  readonly acceptedAt: number;
  /** From its acceptance to its end. */
  readonly milliseconds: number;
}

/** What the runner of jobs needs beside the parts of digests. */
export interface JobParts extends DigestParts {
  readonly version: string;
  /** How a failure is told to callers, and whether it may pass. */
  readonly describeFailure: (failure: unknown) => { readonly problem: unknown; readonly mayPass: boolean };
  /** Told of failures that were nobody's fault but the service's. */
  readonly reportJobFailure: (failure: unknown, job: { readonly id: string; readonly attempt: number }) => void;
  readonly onJob?: ((event: JobHappening) => void) | undefined;
  /** Told of every digest that is made, and how long it took from its acceptance, in milliseconds. */
  readonly onDigest?: ((digest: Digest, milliseconds: number) => void) | undefined;
  /** What is written with the end of a digest whose subject is in the analysis of an experiment, where the guard holds. */
  readonly onEnd?:
    | ((ended: EndedDigest, database: Database, guard: SQL) => Promise<readonly BatchItem<'sqlite'>[]>)
    | undefined;
}

/** Crashes of whoever ran a job after which it is what crashes them. */
const MOST_CRASHES = 12;
/** Milliseconds before a failed job is begun again, by the number of times that are left. */
const PAUSES = [30_000, 5_000, 1_000];

/**
 * Makes the digest of a job and ends it, in one write: the answer, the last event and the webhook are there together or not at
 * all. Where another attempt has begun meanwhile, nothing is written.
 *
 * @param endedBy why the signal was given, once it was
 * @param onNews told when readers can find something new
 */
export async function runJob(
  lease: Lease,
  parts: JobParts,
  signal: AbortSignal,
  endedBy: () => EndedBy | null,
  onNews: () => void,
): Promise<void> {
  const own = { ...parts, database: forTenant(parts.database, lease.tenant) };
  const { database } = own;
  const log = await eventLog(database, lease, onNews, (failure) => parts.reportJobFailure(failure, lease));
  /** Tells whether it was this attempt that ended the job. */
  const end = async (result: JobEnd, more: readonly BatchItem<'sqlite'>[] = []): Promise<boolean> => {
    await log.close();
    await database.commit([...endJob(database, lease, result), ...lastWords(own, lease, result), ...more]);
    const isEnded = await wasEndedBy(database, lease, endStateOf(result));
    if (isEnded) parts.onJob?.(result.answer === null ? 'failed' : 'done');
    return isEnded;
  };
  try {
    if (lease.crashes > MOST_CRASHES) throw new Error(`the job's process ended ${lease.crashes} times before its end`);
    const request = await readRequest(own, lease.id);
    const plan = planDigest(request, own, signal);
    const { digest } = await makeDigest(plan, own, {
      id: lease.id,
      checkpoints: await jobCheckpoints(database, lease, parts.version, signal),
      onProgress: log.progress,
      onSentence: log.sentence,
    });
    await nextTurn();
    const answer = JSON.stringify(digest);
    await nextTurn();
    signal.throwIfAborted();
    const milliseconds = database.now() - lease.createdAt;
    const outcomes = await outcomesOf({ digest, milliseconds }, request, own, lease);
    const isEnded = await end({ status: digest.status, answer, problem: null }, outcomes);
    if (isEnded) parts.onDigest?.(digest, milliseconds);
  } catch (failure) {
    await log.close();
    const why = signal.aborted ? endedBy() : null;
    if (why === 'cancelled' || why === 'lost') return;
    if (why === 'stopping') {
      if (await releaseJob(database, lease, { delay: 0, isCounted: false })) parts.onJob?.('handed-back');
      return;
    }
    const { problem, mayPass } = parts.describeFailure(failure);
    if (mayPass) parts.reportJobFailure(failure, lease);
    if (mayPass && lease.retries > 0 && lease.crashes <= MOST_CRASHES) {
      const delay = PAUSES[lease.retries - 1] ?? PAUSES[0];
      if (await releaseJob(database, lease, { delay, isCounted: true })) parts.onJob?.('retried');
      return;
    }
    await end({ status: 'failed', answer: null, problem: JSON.stringify(problem) });
  }
}

/** What is written of a digest that is part of an experiment; a digest does not fail because this does. */
async function outcomesOf(
  made: Pick<EndedDigest, 'digest' | 'milliseconds'>,
  { experiment }: DigestRequest,
  parts: JobParts,
  lease: Lease,
): Promise<readonly BatchItem<'sqlite'>[]> {
  if (experiment === undefined || experiment.variant === null || experiment.overridden) return [];
  const ended = { ...made, experiment, acceptedAt: lease.createdAt };
  try {
    return (await parts.onEnd?.(ended, parts.database, hasEnded(lease, 'done'))) ?? [];
  } catch (failure) {
    parts.reportJobFailure(failure, lease);
    return [];
  }
}

/** The last event and the webhook of a job that has just ended. */
function lastWords(
  { database }: DigestParts,
  lease: Lease,
  { status, answer, problem }: JobEnd,
): BatchItem<'sqlite'>[] {
  const ended = hasEnded(lease, endStateOf({ answer }));
  const event = answer === null ? { event: 'error', data: problem } : { event: 'digest', data: null };
  const statements = [insertLastEvent(database, lease, event, ended)];
  if (lease.callbackUrl !== null) {
    const payload = webhookPayload(lease.id, status, database.now());
    statements.push(
      insertWebhook(database, { tenant: lease.tenant, digestId: lease.id, url: lease.callbackUrl, payload }, ended),
    );
  }
  return statements;
}

async function readRequest({ database }: DigestParts, id: string): Promise<DigestRequest> {
  const json = await readDigestRequest(database, id);
  if (json == null) throw new Error(`digest ${id} has no request`);
  // Only `acceptDigest` writes requests.
  const { documents, ...request } = JSON.parse(json) as StoredRequest;
  const texts = await readDocuments(database, [...new Set(documents.map(({ hash }) => hash))]);
  return {
    ...request,
    documents: documents.map((document) => {
      const text = texts.get(document.hash);
      if (text === undefined) throw new Error(`the text ${document.hash} of digest ${id} is gone`);
      return { ...document, text };
    }),
  };
}
