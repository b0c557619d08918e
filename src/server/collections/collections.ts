import { type HashedDocument, LimitExceededError } from '../../digest/index.ts';
import {
  type CollectionDocument,
  type Database,
  noteAddition,
  readCollection,
  readCollectionDocument,
  readCollectionDocuments,
  readDocuments,
  removeCollection,
  removeCollectionDocument,
  type StoredCollection,
  saveCollection,
  saveCollectionDocument,
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

/** Documents sorted by id, and their total UTF-16 code units, which `most` limits. @throws LimitExceededError, NotFoundError */
export async function collectionDocuments(
  database: Database,
  id: string,
  most = Number.POSITIVE_INFINITY,
): Promise<{ readonly documents: HashedDocument[]; readonly characters: number }> {
  await knownCollection(id, database);
  const rows = await readCollectionDocuments(database, id);
  const characters = rows.reduce((sum, row) => sum + row.characters, 0);
  if (characters > most) {
    throw new LimitExceededError('/collection', `holds ${characters} UTF-16 code units; at most ${most} are read`);
  }
  const documents = rows.map((row) => ({ id: row.documentId, ...detailsOf(row), hash: row.documentHash }));
  return { documents, characters };
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

/**
 * Adds or replaces a document, and processes it for later digests; if that fails, a digest does it. `most` limits the collection. After an
 * abort nothing is added or replaced.
 *
 * @throws NotFoundError; ServiceError if the collection is full; UnusableOptionError if the defaults are unavailable
 */
export async function putDocument(
  collectionId: string,
  document: SourceDocument,
  deps: ServiceDeps,
  most: number = MAX_DOCUMENTS,
  signal?: AbortSignal,
) {
  const { database } = deps;
  const { id, text, title = null, url = null, publishedAt = null, weight = null } = document;
  const { documents } = await knownCollection(collectionId, database);
  const isHeld = async () => (await readCollectionDocument(database, collectionId, id)) !== undefined;
  // An early check to save work; the store enforces the limit.
  if (documents >= most && !(await isHeld())) throw collectionFull(most);

  const documentHash = contentHash(text);
  await saveDocuments(database, [{ hash: documentHash, text }]);
  const { keyPoints, ...preparation } = await deps.work.prepareDocument(document, deps, signal);
  const own = { documentId: id, documentHash, title, url, publishedAt, weight };
  const row = { ...own, characters: text.length, keyPoints, updatedAt: database.now() };
  await noteAddition(database, collectionId); // before as well, so that no crash loses it
  const placement = await saveCollectionDocument(database, collectionId, row, most);
  if (placement === 'missing') throw new NotFoundError('collection');
  if (placement === 'full') throw collectionFull(most);
  await noteAddition(database, collectionId);
  return { ...preparation, document: row, isNew: placement === 'new' };
}
