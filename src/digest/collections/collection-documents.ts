import type { SourceDocument } from '../../documents/document.ts';
import { readCollectionDocuments } from '../../store/collection-documents.ts';
import type { Database } from '../../store/database.ts';
import { LimitExceededError } from '../limit-exceeded-error.ts';
import { knownCollection } from './known-collection.ts';

/** A document without its text, which is kept under its hash. */
export interface HashedDocument extends Omit<SourceDocument, 'text'> {
  readonly hash: string;
}

/**
 * All documents of a collection, in the order of their ids; none of an empty one.
 *
 * @param most UTF-16 code units of all of them
 * @throws LimitExceededError where they hold more
 * @throws CollectionNotFoundError
 */
export async function collectionDocuments(
  database: Database,
  id: string,
  most = Number.POSITIVE_INFINITY,
): Promise<HashedDocument[]> {
  await knownCollection(id, database);
  const rows = await readCollectionDocuments(database, id);
  const characters = rows.reduce((sum, row) => sum + row.characters, 0);
  if (characters > most) {
    throw new LimitExceededError('/collection', `holds ${characters} UTF-16 code units; at most ${most} are read`);
  }
  return rows.map(({ documentId, documentHash, title, url, publishedAt, weight }) => ({
    id: documentId,
    ...(title !== null && { title }),
    ...(url !== null && { url }),
    ...(publishedAt !== null && { publishedAt }),
    ...(weight !== null && { weight }),
    hash: documentHash,
  }));
}
