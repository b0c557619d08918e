import { type Database, readCollection, type StoredCollection } from '../../store/index.ts';
import { CollectionNotFoundError } from './collection-not-found-error.ts';

/**
 * The collection with this id.
 *
 * @throws CollectionNotFoundError
 */
export async function knownCollection(id: string, database: Database): Promise<StoredCollection> {
  const collection = await readCollection(database, id);
  if (collection === undefined) throw new CollectionNotFoundError(id);
  return collection;
}
