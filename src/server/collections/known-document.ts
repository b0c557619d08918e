import { type CollectionDocument, type Database, readCollectionDocument, readDocuments } from '../../store/index.ts';
import { DocumentNotFoundError } from './document-not-found-error.ts';
import { knownCollection } from './known-collection.ts';

/**
 * The document with this id, and its text.
 *
 * @throws CollectionNotFoundError
 * @throws DocumentNotFoundError
 */
export async function knownDocument(
  collectionId: string,
  documentId: string,
  database: Database,
): Promise<CollectionDocument & { readonly text: string }> {
  const document = await readCollectionDocument(database, collectionId, documentId);
  if (document === undefined) {
    await knownCollection(collectionId, database);
    throw new DocumentNotFoundError(collectionId, documentId);
  }
  const text = (await readDocuments(database, [document.documentHash])).get(document.documentHash);
  // Replaced or deleted this very moment, and its text with it.
  if (text === undefined) throw new DocumentNotFoundError(collectionId, documentId);
  return { ...document, text };
}
