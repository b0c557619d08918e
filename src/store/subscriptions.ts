import { and, eq, getTableColumns, inArray, type SQL, sql } from 'drizzle-orm';
import type { BatchItem } from 'drizzle-orm/batch';
import { type Connection, type Database, wrote } from './database.ts';
import { newestFirst, type Page, type PageRequest } from './page.ts';
import { valuesOf } from './rows.ts';
import { subscriptions } from './schema.ts';

const { id: ID, tenant: TENANT, createdAt } = subscriptions;
// By name: drizzle omits table names in queries over one table.
const COLUMNS = {
  ...getTableColumns(subscriptions),
  /** Null if it was deleted. */
  digestId: sql<string | null>`(select d.id from digests as d where d.id = subscriptions.digest_id)`,
  seen: sql<number>`(select count(*) from digest_documents as s where s.digest_id = subscriptions.digest_id)`,
  unseen: sql<number>`(select count(*) from collection_documents as c where c.collection_id = subscriptions.collection_id
    and not exists (select 1 from digest_documents as s where s.digest_id = subscriptions.digest_id
      and s.document_id = c.document_id and s.document_hash = c.document_hash))`,
};

export type StoredSubscription = Awaited<ReturnType<typeof claimSubscriptions>>[number];

/** Adds a subscription, if the tenant has fewer than `most`. */
export async function insertSubscription(
  database: Database,
  row: Pick<StoredSubscription, 'id' | 'collectionId' | 'request'>,
  most: number,
): Promise<boolean> {
  const { query, tenant, now } = database;
  const isBelow = sql`${query.$count(subscriptions, eq(TENANT, tenant))} < ${most}`;
  const values = valuesOf(subscriptions, { ...row, tenant, createdAt: now() });
  return wrote(database, query.insert(subscriptions).select(sql`select ${values} where ${isBelow}`));
}

export async function readSubscription(database: Database, id: string): Promise<StoredSubscription | undefined> {
  const [found] = await database.query.select(COLUMNS).from(subscriptions).where(own(database, id));
  return found;
}

/** Subscriptions, newest first. @throws InvalidCursorError */
export async function listSubscriptions(database: Database, request: PageRequest): Promise<Page<StoredSubscription>> {
  const list = database.query.select(COLUMNS).from(subscriptions);
  return newestFirst(request, list, eq(TENANT, database.tenant), [createdAt, ID], (row) => row.id);
}

/** Deletes a subscription; its digests stay. False if there is none. */
export async function removeSubscription(database: Database, id: string): Promise<boolean> {
  return wrote(database, database.query.delete(subscriptions).where(own(database, id)));
}

export async function pauseSubscription(database: Database, id: string, isPaused: number): Promise<void> {
  await database.commit([database.query.update(subscriptions).set({ isPaused }).where(own(database, id))]);
}

/** Notes that a document is added to a collection. */
export async function noteAddition({ query, commit, tenant, now }: Database, collectionId: string): Promise<void> {
  const noted = { changedAt: sql`coalesce(changed_at, ${now()})`, quietSince: now() };
  const isMeant = and(eq(TENANT, tenant), eq(subscriptions.collectionId, collectionId));
  await commit([query.update(subscriptions).set(noted).where(isMeant)]);
}

/** Subscriptions taken at a time: each runs some 15 statements, which a Worker limits. */
const AT_ONCE = 10;
/** Milliseconds after which an interrupted or refused run is tried again, besides the quiet time. */
const LEASE = 30_000;
/** Max quiet times that frequent additions can delay a run. */
const MAX_DELAY = 10;

/** Takes subscriptions without a digest under way whose collection has not changed for `quiet` milliseconds. */
export async function claimSubscriptions({ query, write, now }: Connection, quiet: number) {
  const time = now();
  const isDue = sql`is_paused = 0 and quiet_since is not null
    and (quiet_since <= ${time - quiet} or changed_at <= ${time - MAX_DELAY * quiet})
    and not exists (select 1 from jobs where jobs.id = last_run ->> '$.digest' and jobs.state in ('queued', 'running'))`;
  const due = query.select({ id: ID }).from(subscriptions).where(isDue).orderBy(sql`quiet_since`).limit(AT_ONCE);
  const taken = { quietSince: time + LEASE, changedAt: null };
  return write(() => query.update(subscriptions).set(taken).where(inArray(ID, due)).returning(COLUMNS));
}

/** Statement that ends a claim and notes its run (JSON), if there was one. Additions since the claim lead to another. */
export function endClaim({ query }: Connection, id: string, lastRun?: string): BatchItem<'sqlite'> {
  const quietSince = sql`case when changed_at is null then null else quiet_since end`;
  return query.update(subscriptions).set({ quietSince, lastRun }).where(eq(ID, id));
}

/** Statement that notes the digest of the last run as made, if the condition holds. */
export function endRun({ query }: Connection, id: string, digestId: string, isEmpty: boolean, condition: SQL) {
  const made = { lastRun: sql`json_set(last_run, '$.empty', json(${String(isEmpty)}))`, digestId };
  const isLast = and(eq(ID, id), sql`last_run ->> '$.digest' = ${digestId}`, condition);
  return query.update(subscriptions).set(made).where(isLast);
}

function own({ tenant }: Database, id: string) {
  return and(eq(TENANT, tenant), eq(ID, id));
}
