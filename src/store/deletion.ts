import { and, eq, getTableName, ne, notExists, type SQL, sql } from 'drizzle-orm';
import type { BatchItem } from 'drizzle-orm/batch';
import { getTableConfig, type SQLiteColumn, type SQLiteTable } from 'drizzle-orm/sqlite-core';
import { nextTurn } from '../text/index.ts';
import { NOBODY } from './api-keys.ts';
import type { Connection } from './database.ts';
import * as schema from './schema.ts';

/** Statements that a piece of work may run: an invocation of a Worker may run so many. */
export class Budget {
  #left: number;
  #isSpent = false;

  /** @param statements any number by default */
  constructor(statements = Number.POSITIVE_INFINITY) {
    this.#left = statements;
  }

  /** Takes some for what comes next; false, then and ever after, where so many are not left. */
  spend(statements: number): boolean {
    if (statements > this.#left) this.#isSpent = true;
    else this.#left -= statements;
    return !this.#isSpent;
  }

  /** Whether something was not done for want of statements. */
  get isSpent(): boolean {
    return this.#isSpent;
  }
}

/**
 * Deletes what meets a condition, and answers how many rows of this table went; what hangs on them is not counted.
 *
 * @param chunk rows at a time, so that neither the event loop nor other writers are held up
 * @param budget one statement a chunk; where it ends before, the next call goes on
 */
export async function deleteInChunks(
  { query, write }: Connection,
  table: SQLiteTable,
  condition: SQL,
  chunk: number,
  budget = new Budget(),
): Promise<number> {
  const key = keyOf(table);
  let total = 0;
  while (budget.spend(1)) {
    const gone = await write(() =>
      query
        .delete(table)
        .where(sql`(${key}) in (select ${key} from ${table} where ${condition} limit ${chunk})`)
        .returning({ one: sql<number>`1` }),
    );
    total += gone.length;
    if (gone.length < chunk) break;
    await nextTurn();
  }
  return total;
}

/** The columns of a table's key: not every table has row numbers. */
function keyOf(table: SQLiteTable): SQL {
  const { columns, primaryKeys } = getTableConfig(table);
  const key = primaryKeys.length > 0 ? primaryKeys[0].columns : columns.filter(({ primary }) => primary);
  return sql.join(key, sql`, `);
}

/**
 * Every table with how many of its rows go at a time, in an order that foreign keys allow. A row takes along what hangs
 * on it, so that nobody reads half a digest; what comes after its owner in this list is there for what is left.
 */
const TABLES: readonly (readonly [table: SQLiteTable & { readonly tenant: SQLiteColumn }, chunk: number])[] = [
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
];

/**
 * Deletes every row of a tenant. It can be called again where it was interrupted, or where requests that were under way
 * have written since. Where no other tenant has keys, a nameless revoked one stays: the service does not become open.
 */
export async function deleteTenant(connection: Connection, tenant: string): Promise<void> {
  await connection.commit([keepClosed(connection, tenant)]);
  for (const [table, chunk] of TABLES) await deleteInChunks(connection, table, eq(table.tenant, tenant), chunk);
}

/** Statements that do the same all at once, for a database whose rows cannot be read from here. */
export function tenantDeletion(connection: Connection, tenant: string): BatchItem<'sqlite'>[] {
  const { query } = connection;
  return [
    keepClosed(connection, tenant),
    ...TABLES.map(([table]) => query.delete(table).where(eq(table.tenant, tenant))),
  ];
}

/** How many rows a tenant has, by name of the table; tables without any are absent. */
export async function countTenantRows({ query }: Connection, tenant: string): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (const [table] of TABLES) {
    const [{ rows }] = await query.select({ rows: sql<number>`count(*)` }).from(table).where(eq(table.tenant, tenant));
    if (rows > 0) counts.set(getTableName(table), rows);
  }
  return counts;
}

/** A statement that makes one key of the tenant nobody's where no other key is left to show that there ever was one. */
function keepClosed({ query, now }: Connection, tenant: string): BatchItem<'sqlite'> {
  const { apiKeys } = schema;
  const id = `key_${crypto.randomUUID().replaceAll('-', '')}`;
  const time = now();
  return query
    .update(apiKeys)
    .set({
      id,
      tenant: NOBODY,
      name: '',
      hash: id, // no key has it for a hash
      shown: '',
      scopes: '[]',
      createdAt: time,
      revokedAt: time,
      lastUsedAt: null,
    })
    .where(
      and(
        eq(apiKeys.id, sql`(select min(id) from api_keys where tenant = ${tenant})`),
        notExists(sql`(select 1 from api_keys as other where other.tenant <> ${tenant})`),
        ne(apiKeys.tenant, NOBODY),
      ),
    );
}
