import type { SourceDocument } from '../../documents/document.ts';
import { readCollectionDocuments } from '../../store/collection-documents.ts';
import type { Database } from '../../store/database.ts';
import { knownCollection } from './known-collection.ts';

/** A document of a collection without its text, which is kept under its hash. */
export interface HashedDocument extends Omit<SourceDocument, 'text'> {
  readonly hash: string;
}

/**
 * All documents of a collection, in the order of their ids; none of an empty one.
 *
 * @throws CollectionNotFoundError
 */
export async function collectionDocuments(database: Database, id: string): Promise<HashedDocument[]> {
  await knownCollection(id, database);
  const rows = await readCollectionDocuments(database, id);
  return rows.map(({ documentId, documentHash, title, url, publishedAt, weight }) => ({
    id: documentId,
    ...(title !== null && { title }),
    ...(url !== null && { url }),
    ...(publishedAt !== null && { publishedAt }),
    ...(weight !== null && { weight }),
    hash: documentHash,
  }));
}
