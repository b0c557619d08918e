import { type HashedDocument, LimitExceededError } from '../../digest/index.ts';
import {
  type CollectionDocument,
  type Database,
  readCollection,
  readCollectionDocument,
  readCollectionDocuments,
  readDocuments,
  removeCollection,
  removeCollectionDocument,
  type StoredCollection,
  saveCollection,
} from '../../store/index.ts';
import { NotFoundError } from '../errors.ts';

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

/** Retention later removes the texts unless a digest uses them. @throws NotFoundError */
export async function deleteCollection(id: string, database: Database): Promise<void> {
  if (!(await removeCollection(database, id))) throw new NotFoundError('collection');
}

/** Retention later removes the text unless something uses it. @throws NotFoundError */
export async function deleteDocument(collectionId: string, documentId: string, database: Database): Promise<void> {
  if (await removeCollectionDocument(database, collectionId, documentId)) return;
  await knownCollection(collectionId, database);
  throw new NotFoundError('document');
}
