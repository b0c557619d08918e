import type { SQL } from 'drizzle-orm';
import type { BatchItem } from 'drizzle-orm/batch';
import type { Digest, Progress, SentenceEvent, SummarySentence } from '../../contract/index.ts';
import type { Checkpoints, ResolvedRequest, StoredRequest } from '../../digest/index.ts';
import {
  appendEvents,
  type Connection,
  type Database,
  endJob,
  endRun,
  endStateOf,
  insertStoredSources,
  insertWebhook,
  type JobEnd,
  type JobEvent,
  type Lease,
  noteProgress,
  onceEnded,
  readCheckpoints,
  readDocuments,
  readSentences,
  releaseJob,
  saveCheckpoint,
  wasEndedBy,
  whileRunning,
} from '../../store/index.ts';
import { nextTurn } from '../../text/index.ts';
import { digestOutcomes } from '../experiments/digest-outcomes.ts';
import { problemOf } from '../problem.ts';
import { depsFor, type ServiceDeps } from '../service-deps.ts';
import type { JobHappening } from '../service-metrics.ts';
import { answerOf } from '../stored/stored-digests.ts';
import { hasManyDocuments, readStoredRequest } from '../stored/stored-requests.ts';
import { webhookPayload } from '../webhooks/deliver.ts';

/** Milliseconds to buffer progress events for one write. */
const PATIENCE = 100;

async function eventLog(
  database: Database,
  lease: Lease,
  onWritten: () => void,
  onFailure: (failure: unknown) => void,
) {
  const told = lease.attempt === 1 ? new Map<number, string>() : await readSentences(database, lease.id);
  const numberOf = new Map<string, number>();
  let index = 0;
  let waiting: Omit<JobEvent, 'number'>[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  let writing: Promise<void> = Promise.resolve();

  function add(event: 'progress' | 'sentence', data: string, patience: number): void {
    waiting.push({ event, data });
    if (patience === 0) clearTimeout(timer);
    if (timer === undefined || patience === 0) timer = setTimeout(flush, patience);
  }

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    const statements = appendEvents(database, lease, waiting, whileRunning(lease));
    const last = waiting.findLast(({ event }) => event === 'progress');
    if (last?.data != null) statements.push(noteProgress(database, lease, last.data));
    waiting = [];
    if (statements.length > 0) writing = writing.then(() => database.commit(statements)).then(onWritten, onFailure);
  }

  return {
    progress(progress: Progress): void {
      add('progress', JSON.stringify(progress), PATIENCE);
    },
    /** Skips sentences that an earlier attempt already sent. */
    sentence(sentence: SummarySentence): void {
      const sent: SentenceEvent = { index: index++, ...sentence, sources: numbersOf(sentence, numberOf) };
      const data = JSON.stringify(sent);
      if (told.get(sent.index) !== data) add('sentence', data, 0);
    },
    async close(): Promise<void> {
      flush();
      await writing;
    },
  };
}

/** In reading order, as in the finished digest. */
function numbersOf({ citations }: SummarySentence, numberOf: Map<string, number>): number[] {
  for (const { document } of citations) if (!numberOf.has(document)) numberOf.set(document, numberOf.size + 1);
  return [...new Set(citations.map(({ document }) => numberOf.get(document) ?? 0))].sort((a, b) => a - b);
}

/** Min milliseconds for a step to be stored; model calls always are. */
const WORTH_KEEPING = 250;

/** Checkpoints in the database. Stores nothing after an abort. */
async function jobCheckpoints(
  connection: Connection,
  lease: Lease,
  version: string,
  signal: AbortSignal,
): Promise<Checkpoints> {
  return {
    version,
    kept: lease.attempt === 1 ? new Map() : await readCheckpoints(connection, lease.id),
    worthKeeping: WORTH_KEEPING,
    async save(stage, key, value) {
      signal.throwIfAborted();
      await saveCheckpoint(connection, lease, { stage, key, value });
    },
  };
}

export type EndedBy = 'cancelled' | 'lost' | 'stopping';

export interface JobDeps extends ServiceDeps {
  readonly version: string;
  readonly reportJobFailure: (failure: unknown, job: { readonly id: string; readonly attempt: number }) => void;
  readonly onJob?: ((event: JobHappening) => void) | undefined;
  /** `milliseconds` since the acceptance. */
  readonly onDigest?: ((digest: Digest, milliseconds: number) => void) | undefined;
}

export interface AcceptedDigest {
  readonly request: StoredRequest;
  readonly texts: ReadonlyMap<string, string> | null;
}

const MAX_CRASHES = 12;
/** Milliseconds before a retry, by the number of retries left. */
const PAUSES = [30_000, 5_000, 1_000];

/**
 * Makes the digest of a job, from the store if `accepted` is null. Writes answer, last event and webhook in one transaction, or nothing if
 * another attempt has begun. `endedBy` tells why `signal` aborted.
 */
export async function runJob(
  lease: Lease,
  deps: JobDeps,
  accepted: AcceptedDigest | null,
  signal: AbortSignal,
  endedBy: () => EndedBy | null,
  onNews: () => void,
): Promise<void> {
  const own = depsFor(deps, lease.tenant);
  const { database } = own;
  const log = await eventLog(database, lease, onNews, (failure) => deps.reportJobFailure(failure, lease));
  let { callbackUrl } = lease;
  const end = async (result: JobEnd, more: readonly BatchItem<'sqlite'>[] = []): Promise<boolean> => {
    await log.close();
    const state = endStateOf(result);
    const event = state === 'failed' ? { event: 'error', data: result.problem } : { event: 'digest', data: null };
    const last = lastStatements(database, { id: lease.id, callbackUrl }, event, result.status, onceEnded(lease, state));
    await database.commit([...endJob(database, lease, result), ...last, ...more]);
    const isEnded = await wasEndedBy(database, lease, state);
    if (isEnded) deps.onJob?.(state);
    return isEnded;
  };
  try {
    if (lease.crashes > MAX_CRASHES) throw new Error(`the job's process ended ${lease.crashes} times before its end`);
    const stored = accepted?.request ?? (await readRequest(database, lease.id));
    const request = await withTexts(stored, accepted, database);
    const checkpoints = await jobCheckpoints(database, lease, deps.version, signal);
    const options = { id: lease.id, checkpoints, onProgress: log.progress, onSentence: log.sentence };
    const { digest, sources } = await own.work.makeDigest(request, own, options, signal);
    await nextTurn();
    const answer = await answerOf(digest);
    await nextTurn();
    signal.throwIfAborted();
    const milliseconds = database.now() - lease.createdAt;
    const outcomes = await outcomesOf(digest, milliseconds, request, own, lease);
    const { subscription } = digest.status === 'failed' ? {} : stored;
    if (hasManyDocuments(stored))
      outcomes.push(...insertStoredSources(database, lease.id, sources, onceEnded(lease, 'done')));
    const isEmpty = digest.summary.sentences.every(({ framing }) => framing);
    if (subscription) outcomes.push(endRun(database, subscription.id, lease.id, isEmpty, onceEnded(lease, 'done')));
    if (subscription?.sendEmpty === false && isEmpty) callbackUrl = null;
    const isEnded = await end({ status: digest.status, ...answer, problem: null }, outcomes);
    if (isEnded) deps.onDigest?.(digest, milliseconds);
  } catch (failure) {
    await log.close();
    const why = endedBy();
    if (why === 'cancelled' || why === 'lost') return;
    if (why === 'stopping') {
      if (await releaseJob(database, lease, { delay: 0, isCounted: false })) deps.onJob?.('handed-back');
      return;
    }
    const problem = problemOf(failure);
    const isTransient = problem.status >= 500;
    if (isTransient) deps.reportJobFailure(failure, lease);
    if (isTransient && lease.retries > 0 && lease.crashes <= MAX_CRASHES) {
      const delay = PAUSES[lease.retries - 1] ?? PAUSES[0];
      if (await releaseJob(database, lease, { delay, isCounted: true })) deps.onJob?.('retried');
      return;
    }
    await end({ status: 'failed', answer: null, problem: JSON.stringify(problem) });
  }
}

/** Statements for the experiment in which a digest counts; a failure here does not fail the digest. */
async function outcomesOf(
  digest: Digest,
  milliseconds: number,
  { experiment }: ResolvedRequest,
  deps: JobDeps,
  lease: Lease,
): Promise<BatchItem<'sqlite'>[]> {
  if (experiment === undefined || experiment.variant === null || experiment.overridden) return [];
  const ended = { digest, milliseconds, experiment, acceptedAt: lease.createdAt };
  try {
    return await digestOutcomes(ended, deps.database, onceEnded(lease, 'done'));
  } catch (failure) {
    deps.reportJobFailure(failure, lease);
    return [];
  }
}

/** Statements for the last event and the webhook of a job, if the condition holds. */
export function lastStatements(
  database: Database,
  { id, callbackUrl: url }: Pick<Lease, 'id' | 'callbackUrl'>,
  event: Omit<JobEvent, 'number'>,
  status: JobEnd['status'] | 'cancelled',
  condition: SQL,
): BatchItem<'sqlite'>[] {
  const { tenant } = database;
  const statements = appendEvents(database, { id, tenant }, [event], condition);
  if (url === null) return statements;
  const payload = webhookPayload(id, status, database.now());
  return [...statements, insertWebhook(database, { tenant, digestId: id, url, payload }, condition)];
}

async function readRequest(database: Database, id: string): Promise<StoredRequest> {
  const request = (await readStoredRequest(database, id))?.request;
  if (request == null) throw new Error(`digest ${id} has no request`);
  return request;
}

async function withTexts(
  { documents, ...request }: StoredRequest,
  accepted: AcceptedDigest | null,
  database: Database,
): Promise<ResolvedRequest> {
  if (request.collection !== undefined) return { ...request, documents: [], stored: documents };
  const texts = accepted?.texts ?? (await readDocuments(database, [...new Set(documents.map(({ hash }) => hash))]));
  return {
    ...request,
    documents: documents.map((document) => {
      const text = texts.get(document.hash);
      if (text === undefined) throw new Error(`the text ${document.hash} of document ${document.id} is gone`);
      return { ...document, text };
    }),
  };
}
