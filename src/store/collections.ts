import { and, asc, eq, getTableColumns, lt, not, sql } from 'drizzle-orm';
import { type Database, wrote } from './database.ts';
import { keyIn, newestFirst, type Page, type PageRequest, pageOf } from './page.ts';
import { inList, insertRows, valuesOf } from './rows.ts';
import { collectionDocuments, collections } from './schema.ts';

const { tenant: _, ...OWN_COLUMNS } = getTableColumns(collections);
// No condition on the tenant: the collections are its own, and with one SQLite reads all its documents to count.
const COLUMNS = {
  ...OWN_COLUMNS,
  documents: sql<number>`(select count(*) from ${collectionDocuments} as d where d.collection_id = collections.id)`,
};
const { tenant: __, collectionId: ___, ...DOCUMENT_COLUMNS } = getTableColumns(collectionDocuments);

export type StoredCollection = Readonly<Omit<typeof collections.$inferSelect, 'tenant'>> & {
  readonly documents: number;
};

/** A document of a collection; its text is stored by its hash. */
export type CollectionDocument = Readonly<Omit<typeof collectionDocuments.$inferSelect, 'tenant' | 'collectionId'>>;

export async function saveCollection(
  { query, commit, tenant, now }: Database,
  { id, name }: Pick<StoredCollection, 'id' | 'name'>,
): Promise<StoredCollection> {
  const row = { id, name, createdAt: now() };
  await commit([query.insert(collections).values({ ...row, tenant })]);
  return { ...row, documents: 0 };
}

export async function readCollection(database: Database, id: string): Promise<StoredCollection | undefined> {
  const [found] = await database.query.select(COLUMNS).from(collections).where(own(database, id));
  return found;
}

/** Collections, newest first. @throws InvalidCursorError */
export async function listCollections(database: Database, request: PageRequest): Promise<Page<StoredCollection>> {
  const { id, createdAt, tenant } = collections;
  const list = database.query.select(COLUMNS).from(collections);
  return newestFirst(request, list, eq(tenant, database.tenant), [createdAt, id], (row) => row.id);
}

/** Deletes a collection; the texts of its documents stay. False if there is none. */
export async function removeCollection(database: Database, id: string): Promise<boolean> {
  return wrote(database, database.query.delete(collections).where(own(database, id)));
}

function own({ tenant }: Database, id: string) {
  return and(eq(collections.tenant, tenant), eq(collections.id, id));
}

/** Outcome of a save: `full` and `missing` (no such collection) changed nothing. */
type Placement = 'new' | 'replaced' | 'full' | 'missing';

/**
 * Adds a document whose text is stored, or replaces the one with its id. Each statement is atomic, so that concurrent calls
 * each learn what they did and no collection exceeds its limit.
 *
 * @param most max documents of a collection
 */
export async function saveCollectionDocument(
  database: Database,
  collectionId: string,
  row: CollectionDocument,
  most: number,
): Promise<Placement> {
  const { query, tenant } = database;
  const isOwn = own(database, collectionId);
  const { documentId, ...fields } = row;
  const isMeant = one(database, collectionId, documentId);
  const replaces = () => wrote(database, query.update(collectionDocuments).set(fields).where(isMeant));
  if (await replaces()) return 'replaced';
  const current = query.$count(collectionDocuments, eq(collectionDocuments.collectionId, collectionId));
  const values = valuesOf(collectionDocuments, { tenant, collectionId, ...row });
  const added = query
    .insert(collectionDocuments)
    .select(sql`select ${values} from ${collections} where ${and(isOwn, lt(current, most))}`)
    .onConflictDoNothing();
  if (await wrote(database, added)) return 'new';
  // Another call may have added this id in between.
  if (await replaces()) return 'replaced';
  return (await query.$count(collections, isOwn)) === 0 ? 'missing' : 'full';
}

/** Which of these documents a collection holds. */
export async function heldDocuments(
  database: Database,
  collectionId: string,
  ids: readonly string[],
): Promise<string[]> {
  const { documentId } = collectionDocuments;
  const isMeant = and(all(database, collectionId), inList(documentId, ids));
  const rows = await database.query.select({ documentId }).from(collectionDocuments).where(isMeant);
  return rows.map((row) => row.documentId);
}

/** Adds or replaces documents with different ids whose texts are stored, all in one transaction or none. */
export async function saveCollectionDocuments(
  database: Database,
  collectionId: string,
  rows: readonly CollectionDocument[],
  most: number,
): Promise<'full' | 'missing' | ('new' | 'replaced')[]> {
  if (rows.length === 1) {
    const placement = await saveCollectionDocument(database, collectionId, rows[0], most);
    return placement === 'full' || placement === 'missing' ? placement : [placement];
  }
  const { query, tenant, commit } = database;
  const { documentId, ...columns } = DOCUMENT_COLUMNS;
  const ids = rows.map((row) => row.documentId);
  const before = new Set(await heldDocuments(database, collectionId, ids));
  const isOwn = own(database, collectionId);
  const others = and(all(database, collectionId), not(inList(documentId, ids)));
  const fits = lt(query.$count(collectionDocuments, others), most - rows.length + 1);
  const guard = and(
    sql`exists (select 1 from ${collections} where ${isOwn})`,
    before.size === ids.length ? undefined : fits,
  );
  // Decimal text keeps every weight, which as a number of JSON SQLite may read differently.
  const cells = rows.map(({ weight, ...row }) => ({ ...row, weight: weight === null ? null : String(weight) }));
  const set = Object.fromEntries(
    Object.entries(columns).map(([name, { name: column }]) => [name, sql.raw(`excluded.${column}`)]),
  );
  const target = [collectionDocuments.collectionId, documentId];
  await commit(
    insertRows(database, collectionDocuments, { tenant, collectionId }, cells, guard).map((insert) =>
      insert.onConflictDoUpdate({ target, set }),
    ),
  );
  const after = await heldDocuments(database, collectionId, ids);
  if (after.length === ids.length) return ids.map((id) => (before.has(id) ? 'replaced' : 'new'));
  return (await query.$count(collections, isOwn)) === 0 ? 'missing' : 'full';
}

export async function readCollectionDocument(
  database: Database,
  collectionId: string,
  documentId: string,
): Promise<CollectionDocument | undefined> {
  const [row] = await selected(database).where(one(database, collectionId, documentId));
  return row;
}

/** Documents of a collection by the code points of their ids; none without the collection. @throws InvalidCursorError */
export async function listCollectionDocuments(
  database: Database,
  collectionId: string,
  request: PageRequest,
): Promise<Page<CollectionDocument>> {
  const after = keyIn(request.cursor, ['string']);
  const isLater = after && sql`${collectionDocuments.documentId} > ${after[0]}`;
  const found = await selected(database)
    .where(and(all(database, collectionId), isLater))
    .orderBy(asc(collectionDocuments.documentId))
    .limit(request.limit + 1);
  return pageOf(found, request, ({ documentId }) => [documentId]);
}

export async function readCollectionDocuments(database: Database, collectionId: string): Promise<CollectionDocument[]> {
  return selected(database).where(all(database, collectionId)).orderBy(asc(collectionDocuments.documentId));
}

/** Removes a document from a collection; its text stays. False if there is none. */
export async function removeCollectionDocument(
  database: Database,
  collectionId: string,
  documentId: string,
): Promise<boolean> {
  return wrote(database, database.query.delete(collectionDocuments).where(one(database, collectionId, documentId)));
}

function selected({ query }: Database) {
  return query.select(DOCUMENT_COLUMNS).from(collectionDocuments);
}

function all({ tenant }: Database, collectionId: string) {
  return and(eq(collectionDocuments.tenant, tenant), eq(collectionDocuments.collectionId, collectionId));
}

function one(database: Database, collectionId: string, documentId: string) {
  return and(all(database, collectionId), eq(collectionDocuments.documentId, documentId));
}
