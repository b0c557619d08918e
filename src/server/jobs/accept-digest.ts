import { sql } from 'drizzle-orm';
import type { BatchItem } from 'drizzle-orm/batch';
import type { Accepted, Digest } from '../../contract/index.ts';
import {
  type DigestOrder,
  type EarlierReading,
  type HashedDocument,
  newDigestId,
  planDigest,
  type ResolvedRequest,
  type StoredRequest,
  UnusableOptionError,
} from '../../digest/index.ts';
import {
  countOpenJobs,
  type Database,
  insertDigest,
  insertEvents,
  insertJob,
  type Lease,
  readDigest,
  readDigestRequest,
  saveDocuments,
} from '../../store/index.ts';
import { contentHash, nextTurn } from '../../text/index.ts';
import { collectionDocuments } from '../collections/collection-documents.ts';
import type { ServiceDeps } from '../service-deps.ts';
import type { Worker } from './start-worker.ts';
import { TooManyDigestsError } from './too-many-digests-error.ts';

/** A request with everything that it refers to. */
interface ResolvedOrder {
  /** As it is kept. */
  readonly stored: StoredRequest;
  /** As it is planned, with empty texts, for nothing of a plan depends on them. */
  readonly request: ResolvedRequest;
  /** UTF-16 code units of all documents. */
  readonly characters: number;
}

/**
 * Stores the texts of a request and reads what it refers to.
 *
 * @param maxCharacters UTF-16 code units of all documents of a collection
 * @throws LimitExceededError
 * @throws UnusableOptionError where the earlier digest is not there or has no answer
 * @throws CollectionNotFoundError
 */
async function resolveOrder(order: DigestOrder, database: Database, maxCharacters?: number): Promise<ResolvedOrder> {
  const { documents, collection, callbackUrl: _, intent, ...rest } = order;
  const { earlier, ...asked } = await earlierReading(intent, database);
  const given =
    collection === undefined
      ? await storeTexts(documents ?? [], database)
      : await collectionDocuments(database, collection, maxCharacters);
  const from = collection !== undefined && { collection };
  const stored = { ...rest, ...asked, ...(earlier && { earlier }), ...from, documents: given.documents };
  const request = { ...stored, documents: stored.documents.map((document) => ({ ...document, text: '' })) };
  return { stored, request, characters: given.characters };
}

/** Documents hashed between turns of the event loop: about 20 ms of work. */
const CHARACTERS_A_TURN = 1_000_000;

async function storeTexts(
  documents: NonNullable<DigestOrder['documents']>,
  database: Database,
): Promise<{ readonly documents: HashedDocument[]; readonly characters: number }> {
  const texts = new Map<string, string>();
  const stored: HashedDocument[] = [];
  let characters = 0;
  let sinceTurn = 0;
  for (const { text, ...document } of documents) {
    const hash = contentHash(text);
    texts.set(hash, text);
    stored.push({ ...document, hash });
    characters += text.length;
    sinceTurn += text.length;
    if (sinceTurn > CHARACTERS_A_TURN) {
      sinceTurn = 0;
      await nextTurn();
    }
  }
  await saveDocuments(
    database,
    [...texts].map(([hash, text]) => ({ hash, text })),
  );
  return { documents: stored, characters };
}

/** The intent without the digest that it goes on from, and what that digest told and read. */
async function earlierReading(
  intent: DigestOrder['intent'],
  database: Database,
): Promise<{ readonly intent?: ResolvedRequest['intent']; readonly earlier?: EarlierReading }> {
  if (intent === undefined) return {};
  if (typeof intent === 'string') return { intent };
  const { background, ...report } = intent;
  if (typeof background !== 'object') return { intent: { ...report, background } };
  return { intent: report, earlier: await readEarlier(background.digest, database) };
}

const POINTER = '/intent/background/digest';

async function readEarlier(id: string, database: Database): Promise<EarlierReading> {
  const row = await readDigest(database, id);
  if (row === undefined) throw new UnusableOptionError(POINTER, 'There is no digest with this id.');
  if (row.answer === null) throw new UnusableOptionError(POINTER, 'This digest has no answer, or none yet.');
  // Only this service writes answers and requests.
  const { keyPoints, documents } = JSON.parse(row.answer) as Digest;
  const request = await readDigestRequest(database, id);
  if (request == null) throw new UnusableOptionError(POINTER, 'This digest was made before requests were kept.');
  const before = JSON.parse(request) as StoredRequest;
  const hashes = new Map(before.documents.map((document) => [document.id, document.hash]));
  const read = documents.filter(
    ({ status, excluded }) => status === 'ok' || status === 'empty' || excluded === 'known',
  );
  const told = keyPoints
    .filter(({ selected, supports }) => selected || supports !== null)
    .map(({ text, speaker }) => ({ text, ...(speaker !== null && { speaker }) }));
  const points = new Map([...(before.earlier?.points ?? []), ...told].map((point) => [JSON.stringify(point), point]));
  const seen = new Set([...(before.earlier?.documents ?? []), ...read.flatMap((each) => hashes.get(each.id) ?? [])]);
  return { digest: id, points: [...points.values()], documents: [...seen] };
}

interface AcceptOptions {
  /** Whether a caller waits for it: it goes before those that nobody waits for, and is not tried again when it fails. */
  readonly isAwaited: boolean;
  /** Most digests that the tenant may have under way. */
  readonly most: number;
  /** UTF-16 code units of all documents of a collection; any number by default. */
  readonly maxCharacters?: number;
  /** Written with it, or not at all. */
  readonly statements?: (id: string) => readonly BatchItem<'sqlite'>[];
}

/** How often a digest that nobody waits for is begun again after a failure that may pass. */
const RETRIES = 3;

/**
 * Takes a digest on: once this resolves, it will be made (promise P8). Where this process has a hand free it begins at once.
 *
 * @returns the digest's id
 * @throws TesseraError where the request cannot be served as it stands, or the tenant has too many under way
 */
export async function acceptDigest(
  order: DigestOrder,
  deps: ServiceDeps,
  worker: Worker,
  { isAwaited, most, maxCharacters, statements = () => [] }: AcceptOptions,
): Promise<string> {
  const { database } = deps;
  if ((await countOpenJobs(database)) >= most) throw new TooManyDigestsError(most);
  const { stored, request, characters } = await resolveOrder(order, database, maxCharacters);
  const { asksModel } = planDigest(request, deps); // whatever is wrong with the options is said now
  const id = newDigestId();
  const place = worker.reserve({ isAwaited, characters, asksModel });
  const job = {
    id,
    priority: isAwaited ? 1 : 0,
    retries: isAwaited ? 0 : RETRIES,
    callbackUrl: order.callbackUrl ?? null,
  };
  const { tenant } = database;
  const told: Accepted = { id, location: `/v1/digests/${id}` };
  const accepted = { number: 1, event: 'accepted', data: JSON.stringify(told) };
  try {
    await database.commit([
      ...insertDigest(
        database,
        {
          id,
          request: JSON.stringify(stored),
          sources: stored.documents.map((document) => ({ documentId: document.id, documentHash: document.hash })),
        },
        most,
      ),
      insertJob(database, { ...job, lease: place && { owner: worker.owner, until: place.until } }),
      ...insertEvents(database, { id, tenant }, [accepted], sql`true`),
      ...statements(id),
    ]);
  } catch (failure) {
    place?.release();
    if ((await countOpenJobs(database)) >= most) throw new TooManyDigestsError(most);
    throw failure;
  }
  const lease: Lease = { ...job, tenant, attempt: 1, crashes: 0, createdAt: database.now() };
  if (place === null) worker.wake(id);
  else place.begin(lease);
  return id;
}
