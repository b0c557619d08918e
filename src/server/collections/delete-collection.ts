import { type Database, removeCollection } from '../../store/index.ts';
import { CollectionNotFoundError } from './collection-not-found-error.ts';

/**
 * Removes a collection with its documents. Their texts stay for the digests that are made from them, until retention
 * finds that none is.
 *
 * @throws CollectionNotFoundError
 */
export async function deleteCollection(id: string, database: Database): Promise<void> {
  if (!(await removeCollection(database, id))) throw new CollectionNotFoundError(id);
}
