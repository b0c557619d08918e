import { type Database, type StoredCollection, saveCollection } from '../../store/index.ts';

/** Makes a collection without documents. */
export async function createCollection(name: string | null, database: Database): Promise<StoredCollection> {
  return saveCollection(database, { id: `col_${crypto.randomUUID().replaceAll('-', '')}`, name });
}
