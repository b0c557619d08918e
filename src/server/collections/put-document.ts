import { contentHash } from '../../text/documents/content-hash.ts';
import type { SourceDocument } from '../../text/documents/document.ts';
import {
  type CollectionDocument,
  readCollectionDocument,
  saveCollectionDocument,
} from '../../store/collection-documents.ts';
import { saveDocuments } from '../../store/documents.ts';
import type { DigestParts } from '../../digest/digest-parts.ts';
import { CollectionFullError } from './collection-full-error.ts';
import { CollectionNotFoundError } from './collection-not-found-error.ts';
import { knownCollection } from './known-collection.ts';
import { type Preparation, prepareDocument } from './prepare-document.ts';

/** Documents of one collection where the service does not say. */
export const MOST_DOCUMENTS = 10_000;

/** What became of a document that was put into a collection. */
export interface PutDocument extends Omit<Preparation, 'keyPoints'> {
  readonly document: CollectionDocument;
  /** Whether the collection held none with its id. */
  readonly isNew: boolean;
}

/**
 * Puts a document into a collection, in the place of the one with its id. It is read then, once for all digests to come;
 * where that fails it is kept all the same, and read when a digest asks for it.
 *
 * @param most documents that a collection holds
 * @throws CollectionNotFoundError
 * @throws CollectionFullError
 */
export async function putDocument(
  collectionId: string,
  document: SourceDocument,
  parts: DigestParts,
  most: number = MOST_DOCUMENTS,
): Promise<PutDocument> {
  const { database } = parts;
  const { id, text, title = null, url = null, publishedAt = null, weight = null } = document;
  const { documents } = await knownCollection(collectionId, database);
  const isHeld = async () => (await readCollectionDocument(database, collectionId, id)) !== undefined;
  // Told before anything is read; what counts is what the store says in the end.
  if (documents >= most && !(await isHeld())) throw new CollectionFullError(most);

  const documentHash = contentHash(text);
  await saveDocuments(database, [{ hash: documentHash, text }]);
  const { keyPoints, ...preparation } = await prepareDocument(document, parts);
  const row = {
    documentId: id,
    documentHash,
    title,
    url,
    publishedAt,
    weight,
    characters: text.length,
    keyPoints,
    updatedAt: database.now(),
  };
  const placement = await saveCollectionDocument(database, collectionId, row, most);
  if (placement === 'missing') throw new CollectionNotFoundError(collectionId);
  if (placement === 'full') throw new CollectionFullError(most);
  return { ...preparation, document: row, isNew: placement === 'new' };
}
