import { type DigestListeners, type HashedDocument, LimitExceededError } from '../../digest/index.ts';
import {
  type CollectionDocument,
  type Database,
  heldDocuments,
  noteAddition,
  readCollection,
  readCollectionDocument,
  readCollectionDocuments,
  readDocuments,
  removeCollection,
  removeCollectionDocument,
  type StoredCollection,
  saveCollection,
  saveCollectionDocuments,
  saveDocuments,
} from '../../store/index.ts';
import { contentHash, type SourceDocument } from '../../text/index.ts';
import { collectionFull, NotFoundError } from '../errors.ts';
import type { ServiceDeps } from '../service-deps.ts';

export async function createCollection(name: string | null, database: Database): Promise<StoredCollection> {
  return saveCollection(database, { id: `col_${crypto.randomUUID().replaceAll('-', '')}`, name });
}

export async function knownCollection(id: string, database: Database): Promise<StoredCollection> {
  const collection = await readCollection(database, id);
  if (collection === undefined) throw new NotFoundError('collection');
  return collection;
}

/** @throws NotFoundError */
export async function knownDocument(
  collectionId: string,
  documentId: string,
  database: Database,
): Promise<CollectionDocument & { readonly text: string }> {
  const document = await readCollectionDocument(database, collectionId, documentId);
  if (document === undefined) {
    await knownCollection(collectionId, database);
    throw new NotFoundError('document');
  }
  const text = (await readDocuments(database, [document.documentHash])).get(document.documentHash);
  if (text === undefined) throw new NotFoundError('document'); // deleted between the two reads
  return { ...document, text };
}

/** Documents sorted by id, their key points, and their total UTF-16 code units, which `most` limits. @throws LimitExceededError, NotFoundError */
export async function collectionDocuments(
  database: Database,
  id: string,
  most = Number.POSITIVE_INFINITY,
): Promise<{ readonly documents: HashedDocument[]; readonly characters: number; readonly storedPoints: number }> {
  await knownCollection(id, database);
  const rows = await readCollectionDocuments(database, id);
  const characters = rows.reduce((sum, row) => sum + row.characters, 0);
  if (characters > most) {
    throw new LimitExceededError('/collection', `holds ${characters} UTF-16 code units; at most ${most} are read`);
  }
  const documents = rows.map((row) => ({ id: row.documentId, ...detailsOf(row), hash: row.documentHash }));
  return { documents, characters, storedPoints: rows.reduce((sum, { keyPoints }) => sum + keyPoints, 0) };
}

export function detailsOf({ title, url, publishedAt, weight }: CollectionDocument) {
  return {
    ...(title !== null && { title }),
    ...(url !== null && { url }),
    ...(publishedAt !== null && { publishedAt }),
    ...(weight !== null && { weight }),
  };
}

/** Deletes its subscriptions, too. Retention later removes the texts unless a digest uses them. @throws NotFoundError */
export async function deleteCollection(id: string, database: Database): Promise<void> {
  if (!(await removeCollection(database, id))) throw new NotFoundError('collection');
}

/** Retention later removes the text unless something uses it. @throws NotFoundError */
export async function deleteDocument(collectionId: string, documentId: string, database: Database): Promise<void> {
  if (await removeCollectionDocument(database, collectionId, documentId)) return;
  await knownCollection(collectionId, database);
  throw new NotFoundError('document');
}

const MAX_DOCUMENTS = 10_000;

interface Putting extends Pick<DigestListeners, 'onProgress'> {
  /** Max documents of the collection. */
  readonly most?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Adds or replaces documents with different ids, and processes them for later digests; where that fails, a digest does it. All of them
 * are there afterwards, or none, as after an abort.
 *
 * @throws NotFoundError; ServiceError if the collection is full; UnusableOptionError if the defaults are unavailable
 */
export async function putDocuments(
  collectionId: string,
  documents: readonly SourceDocument[],
  deps: ServiceDeps,
  { most = MAX_DOCUMENTS, onProgress, signal }: Putting = {},
) {
  const { database } = deps;
  const collection = await knownCollection(collectionId, database);
  const held = async () =>
    new Set(
      await heldDocuments(
        database,
        collectionId,
        documents.map(({ id }) => id),
      ),
    );
  // An early check to save work; the store enforces the limit.
  if (collection.documents + documents.length > most) {
    if (collection.documents + documents.length - (await held()).size > most) throw collectionFull(most);
  }
  const hashed = documents.map((document) => ({ ...document, hash: contentHash(document.text) }));
  await saveDocuments(database, hashed);
  const prepared = await deps.work.prepareDocuments(hashed, deps, { onProgress }, signal);
  const updatedAt = database.now();
  const rows = hashed.map(({ id, text, hash, title = null, url = null, publishedAt = null, weight = null }, index) => {
    const { keyPoints } = prepared[index];
    const own = { documentId: id, documentHash: hash, title, url, publishedAt, weight };
    return { ...own, characters: text.length, keyPoints, updatedAt };
  });
  await noteAddition(database, collectionId); // before as well, so that no crash loses it
  const placements = await saveCollectionDocuments(database, collectionId, rows, most);
  if (placements === 'missing') throw new NotFoundError('collection');
  if (placements === 'full') throw collectionFull(most);
  await noteAddition(database, collectionId);
  return rows.map((document, index) => {
    const { status, error } = prepared[index];
    return { document, status, error, isNew: placements[index] === 'new' };
  });
}
