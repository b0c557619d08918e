import { parse, stringify } from 'devalue';
import type { SQL } from 'drizzle-orm';
import type { BatchItem } from 'drizzle-orm/batch';
import type { Digest, Progress, SentenceEvent, SummarySentence } from '../../contract/index.ts';
import {
  type Checkpoints,
  type ExperimentOfRequest,
  type Ledger,
  makeDigest,
  type Plan,
  planDigest,
  type ResolvedRequest,
  type StoredRequest,
} from '../../digest/index.ts';
import {
  type Connection,
  type Database,
  endJob,
  endStateOf,
  hasEnded,
  insertEvents,
  insertLastEvent,
  insertWebhook,
  isUnderWay,
  type JobEnd,
  type JobEvent,
  type Lease,
  noteProgress,
  readCheckpoints,
  readDigestRequest,
  readDocuments,
  readEvents,
  releaseJob,
  saveCheckpoint,
  wasEndedBy,
} from '../../store/index.ts';
import { contentHash, nextTurn } from '../../text/index.ts';
import { problemOf } from '../problem.ts';
import { depsFor, type ServiceDeps } from '../service-deps.ts';
import type { JobHappening } from '../service-metrics.ts';
import { webhookPayload } from '../webhooks/deliver.ts';

/** Milliseconds to buffer progress events for one write. */
const PATIENCE = 100;

interface EventLog {
  progress(progress: Progress): void;
  /** Skips sentences that an earlier attempt already sent. */
  sentence(sentence: SummarySentence): void;
  close(): Promise<void>;
}

async function eventLog(
  database: Database,
  lease: Lease,
  onWritten: () => void,
  onFailure: (failure: unknown) => void,
): Promise<EventLog> {
  const before = lease.attempt === 1 ? [] : await allEvents(database, lease.id);
  const told = new Map(before.flatMap(({ event, data }) => (event === 'sentence' ? [[indexIn(data), data]] : [])));
  let number = Math.max(1, ...before.map((event) => event.number)); // 1 is `accepted`, written with the job
  let index = 0;
  let waiting: JobEvent[] = [];
  let last: Progress | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let writing: Promise<void> = Promise.resolve();
  const numberOf = new Map<string, number>();

  function add(event: string, data: unknown, patience: number): void {
    waiting.push({ number: ++number, event, data: JSON.stringify(data) });
    if (patience === 0) clearTimeout(timer);
    if (timer === undefined || patience === 0) timer = setTimeout(flush, patience);
  }

  function take(): BatchItem<'sqlite'>[] {
    clearTimeout(timer);
    timer = undefined;
    const statements = insertEvents(database, lease, waiting, isUnderWay(lease));
    if (last !== null) statements.push(noteProgress(database, lease, JSON.stringify(last)));
    waiting = [];
    last = null;
    return statements;
  }

  function flush(): void {
    const statements = take();
    if (statements.length === 0) return;
    writing = writing.then(() => database.commit(statements)).then(onWritten, onFailure);
  }

  return {
    progress(progress) {
      last = progress;
      add('progress', progress, PATIENCE);
    },
    sentence(sentence) {
      const data: SentenceEvent = { index: index++, ...sentence, sources: numbersOf(sentence, numberOf) };
      if (told.get(data.index) !== JSON.stringify(data)) add('sentence', data, 0);
    },
    async close() {
      flush();
      await writing;
    },
  };
}

function indexIn(data: string | null): number {
  return JSON.parse(data ?? '{}').index;
}

async function allEvents(database: Database, id: string): Promise<JobEvent[]> {
  const events: JobEvent[] = [];
  for (let page = await readEvents(database, id, 0); page.length > 0; ) {
    events.push(...page);
    page = await readEvents(database, id, page[page.length - 1].number);
  }
  return events;
}

/** In reading order, as in the finished digest. */
function numbersOf({ citations }: SummarySentence, numberOf: Map<string, number>): number[] {
  for (const { document } of citations) if (!numberOf.has(document)) numberOf.set(document, numberOf.size + 1);
  return [...new Set(citations.map(({ document }) => numberOf.get(document) ?? 0))].sort((a, b) => a - b);
}

/** Min milliseconds for a step to be stored; model calls always are. */
const WORTH_KEEPING = 250;

interface Kept {
  readonly result: unknown;
  readonly ledger: unknown;
}

/** Checkpoints in the database. Repeats a step if its inputs or the service's version have changed. Stores nothing after an abort. */
async function jobCheckpoints(
  connection: Connection,
  lease: Lease,
  version: string,
  signal: AbortSignal,
): Promise<(ledger: Ledger) => Checkpoints> {
  const kept = lease.attempt === 1 ? new Map() : await readCheckpoints(connection, lease.id);
  return (ledger) => ({
    async step<T>(name: string, dependsOn: unknown, work: () => T | Promise<T>, asked = ledger.asked()): Promise<T> {
      const key = contentHash(JSON.stringify([version, dependsOn]));
      const found = kept.get(name);
      if (found?.key === key) {
        // The same key means the same step, and so the same type.
        const { result, ledger: taken } = parse(found.value) as Kept & { readonly result: T };
        ledger.restore(taken);
        return result;
      }
      const start = performance.now();
      const result = await work();
      signal.throwIfAborted();
      if (performance.now() - start >= WORTH_KEEPING || ledger.asked() > asked) {
        const value: Kept = { result, ledger: ledger.take() };
        await saveCheckpoint(connection, lease, { stage: name, key, value: stringify(value) });
      }
      return result;
    },
  });
}

export type EndedBy = 'cancelled' | 'lost' | 'stopping';

export interface EndedDigest {
  readonly digest: Digest;
  readonly experiment: ExperimentOfRequest;
  readonly acceptedAt: number;
  readonly milliseconds: number;
}

export interface JobDeps extends ServiceDeps {
  readonly version: string;
  readonly reportJobFailure: (failure: unknown, job: { readonly id: string; readonly attempt: number }) => void;
  readonly onJob?: ((event: JobHappening) => void) | undefined;
  /** `milliseconds` since the acceptance. */
  readonly onDigest?: ((digest: Digest, milliseconds: number) => void) | undefined;
  /** Statements for the commit of a digest that counts in an experiment, if the guard holds. */
  readonly onEnd?:
    | ((ended: EndedDigest, database: Database, guard: SQL) => Promise<readonly BatchItem<'sqlite'>[]>)
    | undefined;
}

export interface PlannedDigest {
  readonly plan: Plan;
  readonly controller: AbortController;
}

export interface AcceptedDigest extends PlannedDigest {
  readonly request: StoredRequest;
  readonly texts: ReadonlyMap<string, string> | null;
}

const MAX_CRASHES = 12;
/** Milliseconds before a retry, by the number of retries left. */
const PAUSES = [30_000, 5_000, 1_000];

/**
 * Makes the digest of a job. Writes answer, last event and webhook in one transaction, or nothing if another attempt has begun meanwhile.
 * If `accepted` is null, reads and plans the digest from the store. `endedBy` is the abort reason.
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
  const end = async (result: JobEnd, more: readonly BatchItem<'sqlite'>[] = []): Promise<boolean> => {
    await log.close();
    await database.commit([...endJob(database, lease, result), ...finalStatements(own, lease, result), ...more]);
    const isEnded = await wasEndedBy(database, lease, endStateOf(result));
    if (isEnded) deps.onJob?.(result.answer === null ? 'failed' : 'done');
    return isEnded;
  };
  try {
    if (lease.crashes > MAX_CRASHES) throw new Error(`the job's process ended ${lease.crashes} times before its end`);
    const request = await withTexts(accepted?.request ?? (await readRequest(own, lease.id)), accepted?.texts, own);
    const plan = accepted?.plan ?? planDigest(request, own, signal);
    const { digest } = await makeDigest(plan, request, own, {
      id: lease.id,
      checkpoints: await jobCheckpoints(database, lease, deps.version, signal),
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
    if (isEnded) deps.onDigest?.(digest, milliseconds);
  } catch (failure) {
    await log.close();
    const why = signal.aborted ? endedBy() : null;
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

/** Statements for the experiment of a digest; a failure here does not fail the digest. */
async function outcomesOf(
  made: Pick<EndedDigest, 'digest' | 'milliseconds'>,
  { experiment }: ResolvedRequest,
  deps: JobDeps,
  lease: Lease,
): Promise<readonly BatchItem<'sqlite'>[]> {
  if (experiment === undefined || experiment.variant === null || experiment.overridden) return [];
  const ended = { ...made, experiment, acceptedAt: lease.createdAt };
  try {
    return (await deps.onEnd?.(ended, deps.database, hasEnded(lease, 'done'))) ?? [];
  } catch (failure) {
    deps.reportJobFailure(failure, lease);
    return [];
  }
}

function finalStatements(
  { database }: ServiceDeps,
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

async function readRequest({ database }: ServiceDeps, id: string): Promise<StoredRequest> {
  const json = await readDigestRequest(database, id);
  if (json == null) throw new Error(`digest ${id} has no request`);
  // Only `acceptDigest` writes requests.
  return JSON.parse(json) as StoredRequest;
}

async function withTexts(
  { documents, ...request }: StoredRequest,
  known: AcceptedDigest['texts'] | undefined,
  { database }: ServiceDeps,
): Promise<ResolvedRequest> {
  const texts = known ?? (await readDocuments(database, [...new Set(documents.map(({ hash }) => hash))]));
  return {
    ...request,
    documents: documents.map((document) => {
      const text = texts.get(document.hash);
      if (text === undefined) throw new Error(`the text ${document.hash} of document ${document.id} is gone`);
      return { ...document, text };
    }),
  };
}
