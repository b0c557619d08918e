import { type HashedDocument, LimitExceededError } from '../../digest/index.ts';
import { type Database, readCollectionDocuments } from '../../store/index.ts';
import { knownCollection } from './known-collection.ts';

/**
 * All documents of a collection, in the order of their ids, and the UTF-16 code units of them together.
 *
 * @param most UTF-16 code units of all of them
 * @throws LimitExceededError where they hold more
 * @throws CollectionNotFoundError
 */
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
  const documents = rows.map(({ documentId, documentHash, title, url, publishedAt, weight }) => ({
    id: documentId,
    ...(title !== null && { title }),
    ...(url !== null && { url }),
    ...(publishedAt !== null && { publishedAt }),
    ...(weight !== null && { weight }),
    hash: documentHash,
  }));
  return { documents, characters };
}
