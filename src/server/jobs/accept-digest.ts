import type { BatchItem } from 'drizzle-orm/batch';
import type { Accepted, DigestRequest, VariantOptions } from '../../contract/index.ts';
import {
  type EarlierReading,
  type HashedDocument,
  newDigestId,
  type Plan,
  type PlannedRequest,
  planDigest,
  type RequestDocument,
  type StoredRequest,
  UnusableOptionError,
} from '../../digest/index.ts';
import {
  appendEvents,
  cancelJob,
  countOpenJobs,
  type Database,
  insertDigest,
  insertJob,
  readDigest,
  readJob,
  retryJob,
  saveDocuments,
  whileOpen,
} from '../../store/index.ts';
import { contentHash, nextTurn } from '../../text/index.ts';
import { collectionDocuments } from '../collections/collections.ts';
import { NotFoundError, ServiceError, tooManyDigests } from '../errors.ts';
import type { ServiceDeps } from '../service-deps.ts';
import { wholeDigest } from '../stored/stored-digests.ts';
import { hasManyDocuments, keptRequest, readStoredRequest } from '../stored/stored-requests.ts';
import { lastStatements } from './run-job.ts';
import type { Worker } from './start-worker.ts';

/** Characters hashed between turns of the event loop: about 20 ms of work. */
const CHARACTERS_A_TURN = 1_000_000;

async function storeTexts(given: readonly RequestDocument[], database: Database) {
  const texts = new Map<string, string>();
  const documents: HashedDocument[] = [];
  let characters = 0;
  let turn = CHARACTERS_A_TURN;
  for (const { text, ...document } of given) {
    const hash = contentHash(text);
    texts.set(hash, text);
    documents.push({ ...document, hash });
    characters += text.length;
    if (characters < turn) continue;
    turn = characters + CHARACTERS_A_TURN;
    await nextTurn();
  }
  const saved = Array.from(texts, ([hash, text]) => ({ hash, text }));
  await saveDocuments(database, saved);
  return { documents, texts, characters };
}

interface AcceptOptions {
  /** Whether a caller waits: the job takes precedence, and is not retried. */
  readonly isAwaited: boolean;
  readonly most: number;
  /** Max UTF-16 code units of all documents of a collection; unlimited by default. */
  readonly maxCharacters?: number;
  readonly id?: string;
  readonly parts?: Pick<StoredRequest, 'experiment' | 'subscription'>;
  readonly statements?: (id: string) => readonly BatchItem<'sqlite'>[];
}

const RETRIES = 3;

/**
 * Accepts a digest durably (promise P8) and returns its id. A free process starts at once, with plan and texts in memory.
 *
 * @throws TesseraError if documents are missing, or the tenant has too many unfinished digests
 */
export async function acceptDigest(
  {
    documents: given,
    collection,
    callbackUrl,
  }: Pick<DigestRequest, 'collection' | 'callbackUrl'> & {
    readonly documents?: readonly RequestDocument[] | undefined;
  },
  plan: Plan,
  deps: ServiceDeps,
  worker: Pick<Worker, 'owner' | 'reserve' | 'wake'>,
  { id = newDigestId(), isAwaited, most, maxCharacters, parts, statements = () => [] }: AcceptOptions,
): Promise<string> {
  const { database } = deps;
  if ((await countOpenJobs(database)) >= most) throw tooManyDigests(most);
  const { documents, texts, characters, storedPoints } =
    collection === undefined
      ? { ...(await storeTexts(given ?? [], database)), storedPoints: undefined }
      : { ...(await collectionDocuments(database, collection, maxCharacters)), texts: null };
  const request: StoredRequest = {
    ...plan.request,
    ...parts,
    ...(collection !== undefined && { collection, storedPoints }),
    documents,
  };
  const { tenant } = database;
  const place = worker.reserve({ tenant, isAwaited, characters, asksModel: plan.asksModel });
  const precedence = isAwaited ? { priority: 1, retries: 0 } : { priority: 0, retries: RETRIES };
  const job = { id, ...precedence, callbackUrl: callbackUrl ?? null, createdAt: database.now() };
  const kept = await keptRequest(request);
  const own = hasManyDocuments(request) ? [] : documents;
  const sources = own.map((document) => ({ documentId: document.id, documentHash: document.hash }));
  try {
    await database.commit([
      ...insertDigest(database, { id, ...kept, sources }, most),
      insertJob(database, { ...job, lease: place && { owner: worker.owner, until: place.until } }),
      ...appendEvents(database, { id, tenant }, [{ event: 'accepted', data: acceptedJson(id) }]),
      ...statements(id),
    ]);
  } catch (failure) {
    place?.release();
    if ((await countOpenJobs(database)) >= most) throw tooManyDigests(most);
    throw failure;
  }
  if (place === null) worker.wake(id);
  else place.begin({ ...job, tenant, attempt: 1, crashes: 0 }, { request, texts });
  return id;
}

function acceptedJson(id: string): string {
  return JSON.stringify({ id, location: `/v1/digests/${id}` } satisfies Accepted);
}

/**
 * Returns a planner of the request with given options. Both throw if the request cannot be served.
 *
 * @throws TesseraError
 */
export async function requestPlanner({ intent }: Pick<DigestRequest, 'intent'>, deps: ServiceDeps) {
  const asked = await resolveIntent(intent, deps.database);
  return ({ selection, summary, engine }: VariantOptions): Plan =>
    planDigest({ ...asked, selection, summary, engine }, deps);
}

async function resolveIntent(
  intent: DigestRequest['intent'],
  database: Database,
): Promise<Pick<PlannedRequest, 'intent' | 'earlier'>> {
  if (intent === undefined) return {};
  if (typeof intent === 'string') return { intent };
  const { background, ...report } = intent;
  if (typeof background !== 'object') return { intent: { ...report, background } };
  return { intent: report, earlier: await readEarlier(background.digest, database) };
}

const POINTER = '/intent/background/digest';

async function readEarlier(id: string, database: Database): Promise<EarlierReading> {
  const row = await readDigest(database, id);
  const before = (await readStoredRequest(database, id))?.request;
  if (row === undefined) throw new UnusableOptionError(POINTER, 'There is no digest with this id.');
  if (row.answer === null || before == null)
    throw new UnusableOptionError(POINTER, 'This digest has no answer, or none yet.');
  const { keyPoints, documents, summary } = await wholeDigest(row, database);
  const hashes = new Map(before.documents.map((document) => [document.id, document.hash]));
  const read = documents.filter(
    ({ status, excluded }) => status === 'ok' || status === 'empty' || excluded === 'known',
  );
  // Who reads whole documents may cite what was not selected.
  const cited = new Set(summary.sentences.flatMap((sentence) => sentence.keyPoints));
  const shown = keyPoints.filter(({ id, selected, supports }) => selected || supports !== null || cited.has(id));
  const told = shown.map(({ text, speaker }) => ({ text, ...(speaker !== null && { speaker }) }));
  const points = new Map([...(before.earlier?.points ?? []), ...told].map((point) => [JSON.stringify(point), point]));
  const seen = new Set([...(before.earlier?.documents ?? []), ...read.flatMap((each) => hashes.get(each.id) ?? [])]);
  return { digest: id, points: [...points.values()], documents: [...seen] };
}

export async function cancelDigest(id: string, { database }: ServiceDeps, worker: Worker): Promise<boolean> {
  const job = await readJob(database, id);
  if (job === undefined) return false;
  const event = { event: 'cancelled', data: JSON.stringify({ id, status: 'cancelled' }) };
  await database.commit([
    ...lastStatements(database, { id, ...job }, event, 'cancelled', whileOpen(id)),
    ...cancelJob(database, id),
  ]);
  const isCancelled = (await readJob(database, id))?.state === 'cancelled';
  if (isCancelled) worker.cancelled(id);
  return isCancelled;
}

/**
 * Requeues a failed digest, up to `most` open ones of the tenant, and returns the number of the run, from 2.
 *
 * @throws NotFoundError; ServiceError if it has not failed, or too many are open
 */
export async function retryDigest(id: string, database: Database, most: number): Promise<number> {
  const before = await readJob(database, id);
  if (before === undefined) throw new NotFoundError('digest');
  if (before.state !== 'failed') throw new ServiceError('digest-not-failed');
  await database.commit(retryJob(database, id, { retries: RETRIES, most, accepted: acceptedJson(id) }));
  const now = await readJob(database, id);
  if (now === undefined) throw new NotFoundError('digest');
  if (now.run > before.run) return now.run;
  if ((await countOpenJobs(database)) >= most) throw tooManyDigests(most);
  throw new ServiceError('digest-not-failed');
}
