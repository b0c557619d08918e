import { and, asc, count, desc, eq, gt, lt, type SQL, sql } from 'drizzle-orm';
import type { Database } from './database.ts';
import { idCursor, type Page, type PageRequest, pageOf, timeCursor } from './page.ts';
import { inList } from './rows.ts';
import { collectionDocuments, collections } from './schema.ts';

export interface StoredCollection {
  readonly id: string;
  readonly name: string | null;
  readonly documents: number;
  readonly createdAt: number;
}

const COLUMNS = { id: collections.id, name: collections.name, createdAt: collections.createdAt };

export async function saveCollection(
  database: Database,
  { id, name }: Pick<StoredCollection, 'id' | 'name'>,
): Promise<StoredCollection> {
  const createdAt = database.now();
  await database.commit([database.query.insert(collections).values({ id, tenant: database.tenant, name, createdAt })]);
  return { id, name, documents: 0, createdAt };
}

export async function readCollection(database: Database, id: string): Promise<StoredCollection | undefined> {
  const rows = await database.query.select(COLUMNS).from(collections).where(own(database, id));
  const [found] = await counted(database, rows);
  return found;
}

/**
 * Collections, newest first.
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

/** Deletes a collection; the texts of its documents stay. False if there is none. */
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
    // No condition on the tenant: the collections are its own, and with one SQLite reads all its documents to count.
    .where(inList(collectionDocuments.collectionId, ids))
    .groupBy(collectionDocuments.collectionId);
  const documents = new Map(counts.map((row) => [row.id, row.documents]));
  return rows.map((row) => ({ ...row, documents: documents.get(row.id) ?? 0 }));
}

/** A document of a collection; its text is stored by its hash. */
export interface CollectionDocument {
  readonly documentId: string;
  readonly documentHash: string;
  readonly title: string | null;
  readonly url: string | null;
  readonly publishedAt: string | null;
  readonly weight: number | null;
  /** UTF-16 code units. */
  readonly characters: number;
  readonly keyPoints: number;
  readonly updatedAt: number;
}

/** Outcome of a save: `full` and `missing` (no such collection) changed nothing. */
type Placement = 'new' | 'replaced' | 'full' | 'missing';

const DOCUMENT_COLUMNS = {
  documentId: collectionDocuments.documentId,
  documentHash: collectionDocuments.documentHash,
  title: collectionDocuments.title,
  url: collectionDocuments.url,
  publishedAt: collectionDocuments.publishedAt,
  weight: collectionDocuments.weight,
  characters: collectionDocuments.characters,
  keyPoints: collectionDocuments.keyPoints,
  updatedAt: collectionDocuments.updatedAt,
};

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
  if (await replace(database, collectionId, row)) return 'replaced';
  if (await add(database, collectionId, row, most)) return 'new';
  // Another call may have added this id in between.
  if (await replace(database, collectionId, row)) return 'replaced';
  const [collection] = await database.query
    .select({ id: collections.id })
    .from(collections)
    .where(ownCollection(database, collectionId));
  return collection === undefined ? 'missing' : 'full';
}

async function replace(database: Database, collectionId: string, row: CollectionDocument): Promise<boolean> {
  const { documentId, ...fields } = row;
  const replaced = await database.write(() =>
    database.query
      .update(collectionDocuments)
      .set(fields)
      .where(one(database, collectionId, documentId))
      .returning({ documentId: collectionDocuments.documentId }),
  );
  return replaced.length > 0;
}

async function add(database: Database, collectionId: string, row: CollectionDocument, most: number): Promise<boolean> {
  const { query, write, tenant } = database;
  const current = query
    .select({ documents: count() })
    .from(collectionDocuments)
    .where(eq(collectionDocuments.collectionId, collectionId));
  // In the order of the table's columns.
  const values = {
    tenant: value(tenant),
    collectionId: value(collectionId),
    documentId: value(row.documentId),
    documentHash: value(row.documentHash),
    title: value(row.title),
    url: value(row.url),
    publishedAt: value(row.publishedAt),
    weight: value(row.weight),
    characters: value(row.characters),
    keyPoints: value(row.keyPoints),
    updatedAt: value(row.updatedAt),
  };
  const added = await write(() =>
    query
      .insert(collectionDocuments)
      .select(
        query
          .select(values)
          .from(collections)
          .where(and(ownCollection(database, collectionId), lt(sql`(${current})`, most))),
      )
      .onConflictDoNothing()
      .returning({ documentId: collectionDocuments.documentId }),
  );
  return added.length > 0;
}

function value<T extends string | number | null>(given: T): SQL.Aliased<T> {
  return sql<T>`${given}`.as('value');
}

export async function readCollectionDocument(
  database: Database,
  collectionId: string,
  documentId: string,
): Promise<CollectionDocument | undefined> {
  const [row] = await database.query
    .select(DOCUMENT_COLUMNS)
    .from(collectionDocuments)
    .where(one(database, collectionId, documentId));
  return row;
}

/**
 * Documents of a collection, ordered by the code points of their ids; none if there is no such collection.
 *
 * @throws InvalidCursorError
 */
export async function listCollectionDocuments(
  database: Database,
  collectionId: string,
  request: PageRequest,
): Promise<Page<CollectionDocument>> {
  const after = idCursor(request.cursor);
  const found = await database.query
    .select(DOCUMENT_COLUMNS)
    .from(collectionDocuments)
    .where(and(all(database, collectionId), after === null ? undefined : gt(collectionDocuments.documentId, after)))
    .orderBy(asc(collectionDocuments.documentId))
    .limit(request.limit + 1);
  return pageOf(found, request, ({ documentId }) => [documentId]);
}

export async function readCollectionDocuments(database: Database, collectionId: string): Promise<CollectionDocument[]> {
  return database.query
    .select(DOCUMENT_COLUMNS)
    .from(collectionDocuments)
    .where(all(database, collectionId))
    .orderBy(asc(collectionDocuments.documentId));
}

/** Removes a document from a collection; its text stays. False if there is none. */
export async function removeCollectionDocument(
  database: Database,
  collectionId: string,
  documentId: string,
): Promise<boolean> {
  const removed = await database.write(() =>
    database.query
      .delete(collectionDocuments)
      .where(one(database, collectionId, documentId))
      .returning({ documentId: collectionDocuments.documentId }),
  );
  return removed.length > 0;
}

function ownCollection({ tenant }: Database, id: string) {
  return and(eq(collections.tenant, tenant), eq(collections.id, id));
}

function all({ tenant }: Database, collectionId: string) {
  return and(eq(collectionDocuments.tenant, tenant), eq(collectionDocuments.collectionId, collectionId));
}

function one(database: Database, collectionId: string, documentId: string) {
  return and(all(database, collectionId), eq(collectionDocuments.documentId, documentId));
}
