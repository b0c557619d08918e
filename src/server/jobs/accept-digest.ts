import { sql } from 'drizzle-orm';
import type { BatchItem } from 'drizzle-orm/batch';
import type { Accepted, DigestRequest } from '../../contract/index.ts';
import { type ExperimentOfRequest, type HashedDocument, newDigestId, type StoredRequest } from '../../digest/index.ts';
import {
  countOpenJobs,
  type Database,
  insertDigest,
  insertEvents,
  insertJob,
  type Lease,
  saveDocuments,
} from '../../store/index.ts';
import { contentHash, nextTurn } from '../../text/index.ts';
import { collectionDocuments } from '../collections/collections.ts';
import { tooManyDigests } from '../errors.ts';
import type { ServiceDeps } from '../service-deps.ts';
import type { PlannedDigest } from './plan-order.ts';
import type { Worker } from './start-worker.ts';

/** Characters hashed between turns of the event loop: about 20 ms of work. */
const CHARACTERS_A_TURN = 1_000_000;

async function storeTexts(given: NonNullable<DigestRequest['documents']>, database: Database) {
  const texts = new Map<string, string>();
  const documents: HashedDocument[] = [];
  let characters = 0;
  for (const { text, ...document } of given) {
    const hash = contentHash(text);
    texts.set(hash, text);
    documents.push({ ...document, hash });
    const turn = Math.floor(characters / CHARACTERS_A_TURN);
    characters += text.length;
    if (Math.floor(characters / CHARACTERS_A_TURN) > turn) await nextTurn();
  }
  await saveDocuments(
    database,
    [...texts].map(([hash, text]) => ({ hash, text })),
  );
  return { documents, texts, characters };
}

interface AcceptOptions {
  /** Whether a caller waits: the job takes precedence, and is not retried. */
  readonly isAwaited: boolean;
  readonly most: number;
  /** Max UTF-16 code units of all documents of a collection; unlimited by default. */
  readonly maxCharacters?: number;
  readonly experiment?: ExperimentOfRequest | undefined;
  readonly statements?: (id: string) => readonly BatchItem<'sqlite'>[];
}

export const RETRIES = 3;

/**
 * Accepts a digest durably (promise P8) and returns its id. A free process starts at once, with plan and texts in memory.
 *
 * @throws TesseraError if documents are missing, or the tenant has too many unfinished digests
 */
export async function acceptDigest(
  { documents: given, collection, callbackUrl }: DigestRequest,
  { plan, controller }: PlannedDigest,
  deps: ServiceDeps,
  worker: Worker,
  { isAwaited, most, maxCharacters, experiment, statements = () => [] }: AcceptOptions,
): Promise<string> {
  const { database } = deps;
  if ((await countOpenJobs(database)) >= most) throw tooManyDigests(most);
  const { documents, texts, characters } =
    collection === undefined
      ? await storeTexts(given ?? [], database)
      : { ...(await collectionDocuments(database, collection, maxCharacters)), texts: null };
  const request: StoredRequest = {
    ...plan.request,
    ...(experiment !== undefined && { experiment }),
    ...(collection !== undefined && { collection }),
    documents,
  };
  const id = newDigestId();
  const place = worker.reserve({ tenant: database.tenant, isAwaited, characters, asksModel: plan.asksModel });
  const job = { id, priority: isAwaited ? 1 : 0, retries: isAwaited ? 0 : RETRIES, callbackUrl: callbackUrl ?? null };
  const { tenant } = database;
  const told: Accepted = { id, location: `/v1/digests/${id}` };
  const accepted = { number: 1, event: 'accepted', data: JSON.stringify(told) };
  const sources = documents.map((document) => ({ documentId: document.id, documentHash: document.hash }));
  try {
    await database.commit([
      ...insertDigest(database, { id, request: JSON.stringify(request), sources }, most),
      insertJob(database, { ...job, lease: place && { owner: worker.owner, until: place.until } }),
      ...insertEvents(database, { id, tenant }, [accepted], sql`true`),
      ...statements(id),
    ]);
  } catch (failure) {
    place?.release();
    if ((await countOpenJobs(database)) >= most) throw tooManyDigests(most);
    throw failure;
  }
  const lease: Lease = { ...job, tenant, attempt: 1, crashes: 0, createdAt: database.now() };
  if (place === null) worker.wake(id);
  else place.begin(lease, { request, texts, plan, controller });
  return id;
}
