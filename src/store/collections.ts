import { and, count, desc, eq, sql } from 'drizzle-orm';
import type { Database } from './database.ts';
import { inList } from './in-list.ts';
import { type Page, type PageRequest, pageOf, timeCursor } from './page.ts';
import { collectionDocuments, collections } from './schema.ts';

export interface StoredCollection {
  readonly id: string;
  readonly name: string | null;
  /** How many it holds. */
  readonly documents: number;
  readonly createdAt: number;
}

const COLUMNS = { id: collections.id, name: collections.name, createdAt: collections.createdAt };

/** Keeps a new collection, without documents. */
export async function saveCollection(
  database: Database,
  { id, name }: Pick<StoredCollection, 'id' | 'name'>,
): Promise<StoredCollection> {
  const createdAt = database.now();
  await database.commit([database.query.insert(collections).values({ id, tenant: database.tenant, name, createdAt })]);
  return { id, name, documents: 0, createdAt };
}

/** The collection with this id, or undefined. */
export async function readCollection(database: Database, id: string): Promise<StoredCollection | undefined> {
  const rows = await database.query.select(COLUMNS).from(collections).where(own(database, id));
  const [found] = await counted(database, rows);
  return found;
}

/**
 * Collections, the newest first.
 *
 * @throws InvalidCursorError
 */
export async function listCollections(database: Database, request: PageRequest): Promise<Page<StoredCollection>> {
  const after = timeCursor(request.cursor);
  const found = await database.query
    .select(COLUMNS)
    .from(collections)
    .where(
      and(
        eq(collections.tenant, database.tenant),
        after === null
          ? undefined
          : sql`(${collections.createdAt}, ${collections.id}) < (${after.createdAt}, ${after.id})`,
      ),
    )
    .orderBy(desc(collections.createdAt), desc(collections.id))
    .limit(request.limit + 1);
  const { rows, next } = pageOf(found, request, ({ createdAt, id }) => [createdAt, id]);
  return { rows: await counted(database, rows), next };
}

/** Removes a collection and what it says of its documents; their texts stay. False where there is none. */
export async function removeCollection(database: Database, id: string): Promise<boolean> {
  const removed = await database.write(() =>
    database.query.delete(collections).where(own(database, id)).returning({ id: collections.id }),
  );
  return removed.length > 0;
}

function own({ tenant }: Database, id: string) {
  return and(eq(collections.tenant, tenant), eq(collections.id, id));
}

async function counted(
  { query }: Database,
  rows: readonly Omit<StoredCollection, 'documents'>[],
): Promise<StoredCollection[]> {
  const ids = rows.map(({ id }) => id);
  const counts = await query
    .select({ id: collectionDocuments.collectionId, documents: count() })
    .from(collectionDocuments)
    // These collections are the tenant's own; asked for it here too, SQLite would count by reading all its documents.
    .where(inList(collectionDocuments.collectionId, ids))
    .groupBy(collectionDocuments.collectionId);
  const documents = new Map(counts.map((row) => [row.id, row.documents]));
  return rows.map((row) => ({ ...row, documents: documents.get(row.id) ?? 0 }));
}
