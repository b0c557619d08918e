import { and, eq, getTableName, ne, type SQL, sql } from 'drizzle-orm';
import type { BatchItem } from 'drizzle-orm/batch';
import { getTableConfig, type SQLiteColumn, type SQLiteTable } from 'drizzle-orm/sqlite-core';
import { nextTurn } from '../text/index.ts';
import { NOBODY } from './api-keys.ts';
import type { Connection } from './database.ts';
import * as schema from './schema.ts';

/** Number of statements that some work may execute; Workers limit them per invocation. */
export class Budget {
  #left: number;
  /** Whether some work was skipped for lack of statements. */
  isSpent = false;

  /** @param statements unlimited by default */
  constructor(statements = Number.POSITIVE_INFINITY) {
    this.#left = statements;
  }

  /** Takes some; false, from then on, if too few are left. */
  spend(statements: number): boolean {
    if (statements > this.#left) this.isSpent = true;
    else this.#left -= statements;
    return !this.isSpent;
  }
}

type TenantTable = SQLiteTable & { readonly tenant: SQLiteColumn };

/**
 * Every table with the rows to delete per statement, so that neither the event loop nor other writers wait long. In an order that
 * foreign keys allow. Deleting a row cascades, so that nobody reads half a digest; tables listed after their owner are there for orphans.
 */
const TABLES = new Map<TenantTable, number>([
  [schema.apiKeys, 500], // first: no request begins any more
  [schema.digests, 20],
  [schema.jobs, 20],
  [schema.jobEvents, 500],
  [schema.jobCheckpoints, 20],
  [schema.digestChunks, 20],
  [schema.digestDocuments, 500],
  [schema.webhooks, 500], // after jobs, whose ends write them
  [schema.idempotencyKeys, 100],
  [schema.collectionDocuments, 500],
  [schema.subscriptions, 100],
  [schema.collections, 100],
  [schema.documents, 50],
  [schema.extractions, 50],
  [schema.documentChunks, 20],
  [schema.encodings, 200],
  [schema.vectorLists, 20],
  [schema.judgements, 500],
  [schema.chores, 100],
  [schema.experimentEvents, 500],
  [schema.experimentTotals, 500],
  [schema.experimentExposures, 500],
  [schema.experiments, 100], // after what is kept by its number, which another could get
  [schema.tenants, 1], // last: who was interrupted finds the name in the list
]);

/** Deletes the rows that meet a condition in chunks, as far as the budget goes, and returns their number without rows that cascade. */
export async function deleteInChunks(
  { query, write }: Connection,
  table: TenantTable,
  condition: SQL,
  budget = new Budget(),
): Promise<number> {
  const key = keyOf(table);
  const chunk = TABLES.get(table) ?? 100;
  let total = 0;
  while (budget.spend(1)) {
    const next = sql`(${key}) in (select ${key} from ${table} where ${condition} limit ${chunk})`;
    const gone = await write(() => query.delete(table).where(next).returning({ one: sql`1` }));
    total += gone.length;
    if (gone.length < chunk) break;
    await nextTurn();
  }
  return total;
}

/** Columns of the primary key; not every table has row ids. */
function keyOf(table: SQLiteTable): SQL {
  const { columns, primaryKeys } = getTableConfig(table);
  const key = primaryKeys.length > 0 ? primaryKeys[0].columns : columns.filter(({ primary }) => primary);
  return sql.join(key, sql`, `);
}

/**
 * Deletes every row of a tenant. Call it again if it was interrupted, or if requests that were under way have written since.
 * If no other tenant has keys, a nameless revoked one stays, so that the service does not become open.
 */
export async function deleteTenant(connection: Connection, tenant: string): Promise<void> {
  await connection.commit([keepClosed(connection, tenant)]);
  for (const table of TABLES.keys()) await deleteInChunks(connection, table, eq(table.tenant, tenant));
}

/** The same as statements to execute at once, for a database that cannot be read from here. */
export function tenantDeletion(connection: Connection, tenant: string): BatchItem<'sqlite'>[] {
  const tables = [...TABLES.keys()];
  return [
    keepClosed(connection, tenant),
    ...tables.map((table) => connection.query.delete(table).where(eq(table.tenant, tenant))),
  ];
}

/** Rows of a tenant by table; tables without any are absent. */
export async function countTenantRows({ query }: Connection, tenant: string): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (const table of TABLES.keys()) {
    const rows = await query.$count(table, eq(table.tenant, tenant));
    if (rows > 0) counts.set(getTableName(table), rows);
  }
  return counts;
}

/** Gives one of the tenant's keys to `NOBODY` if no other key is left. */
function keepClosed({ query, now }: Connection, tenant: string): BatchItem<'sqlite'> {
  const { apiKeys } = schema;
  const id = `key_${crypto.randomUUID().replaceAll('-', '')}`;
  const time = now();
  const nameless = { id, tenant: NOBODY, name: '', shown: '', scopes: '[]', createdAt: time, revokedAt: time };
  const first = eq(apiKeys.id, sql`(select min(id) from api_keys where tenant = ${tenant})`);
  const alone = sql`not exists (select 1 from api_keys as other where other.tenant <> ${tenant})`;
  return query
    .update(apiKeys)
    .set({ ...nameless, hash: id, lastUsedAt: null }) // no key has it for a hash
    .where(and(first, alone, ne(apiKeys.tenant, NOBODY)));
}
