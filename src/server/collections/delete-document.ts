import { type Database, removeCollectionDocument } from '../../store/index.ts';
import { DocumentNotFoundError } from './document-not-found-error.ts';
import { knownCollection } from './known-collection.ts';

/**
 * Takes a document out of a collection. Its text stays for others that share it, until retention finds that none does.
 *
 * @throws CollectionNotFoundError
 * @throws DocumentNotFoundError
 */
export async function deleteDocument(collectionId: string, documentId: string, database: Database): Promise<void> {
  if (await removeCollectionDocument(database, collectionId, documentId)) return;
  await knownCollection(collectionId, database);
  throw new DocumentNotFoundError(collectionId, documentId);
}
