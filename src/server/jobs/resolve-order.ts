import { contentHash } from '../../text/documents/content-hash.ts';
import { nextTurn } from '../../text/chunks.ts';
import type { Database } from '../../store/database.ts';
import { readDigest, readDigestRequest } from '../../store/digests.ts';
import { saveDocuments } from '../../store/documents.ts';
import { collectionDocuments, type HashedDocument } from '../collections/collection-documents.ts';
import type { Digest } from '../../contract/digest.ts';
import type { DigestRequest, EarlierReading } from '../../contract/digest-request.ts';
import { UnusableOptionError } from '../../digest/unusable-option-error.ts';
import type { DigestOrder, StoredRequest } from '../../contract/digest-order.ts';

/** A request with everything that it refers to. */
export interface ResolvedOrder {
  /** As it is kept. */
  readonly stored: StoredRequest;
  /** As it is planned, with empty texts, for nothing of a plan depends on them. */
  readonly request: DigestRequest;
  /** UTF-16 code units of all documents. */
  readonly characters: number;
}

/**
 * Stores the texts of a request and reads what it refers to.
 *
 * @param mostCharacters UTF-16 code units of all documents of a collection
 * @throws LimitExceededError
 * @throws UnusableOptionError where the earlier digest is not there or has no answer
 * @throws CollectionNotFoundError
 */
export async function resolveOrder(
  order: DigestOrder,
  database: Database,
  mostCharacters?: number,
): Promise<ResolvedOrder> {
  const { documents, collection, callbackUrl: _, intent, ...rest } = order;
  const { earlier, ...asked } = await earlierReading(intent, database);
  const given =
    collection === undefined
      ? await storeTexts(documents ?? [], database)
      : await collectionDocuments(database, collection, mostCharacters);
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
): Promise<{ readonly intent?: DigestRequest['intent']; readonly earlier?: EarlierReading }> {
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
