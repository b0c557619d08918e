import { eq, getTableName } from 'drizzle-orm';
import { getTableConfig, type SQLiteColumn, type SQLiteTable } from 'drizzle-orm/sqlite-core';
import { expect } from 'vitest';
import type { Database } from '../../src/store/index.ts';
import * as schema from '../../src/store/schema.ts';
import { TABLES } from './stores.ts';

/** A value for a column: the parent's where it refers to one, else one of its own. */
function cellOf(column: SQLiteColumn, tenant: string, row: number): unknown {
  if (column.name === 'tenant') return tenant;
  for (const { reference } of getTableConfig(column.table).foreignKeys) {
    const { columns, foreignColumns } = reference();
    const at = columns.findIndex(({ name }) => name === column.name);
    if (at >= 0) return cellOf(foreignColumns[at], tenant, row);
  }
  if (column.dataType === 'number') return row;
  if (column.getSQLType() === 'blob') return Buffer.from([row]);
  return `${tenant}/${getTableName(column.table)}.${column.name}/${row}`;
}

/** Fills every table with rows of a tenant, one of them where a tenant can have one only. */
export async function fillTables({ query, commit }: Database, tenant: string, rows: number) {
  const filled = new Set<unknown>();
  // Tables whose parents are not filled yet wait for the next round.
  for (let waiting = TABLES; waiting.length > 0; waiting = TABLES.filter((table) => !filled.has(table))) {
    for (const table of waiting) {
      const { columns, foreignKeys } = getTableConfig(table);
      if (!foreignKeys.every(({ reference }) => filled.has(reference().foreignTable))) continue;
      filled.add(table);
      const count = table === schema.tenants ? 1 : rows;
      await commit(
        Array.from({ length: count }, (_, row) => {
          const values = columns.map((column) => [keyOf(table, column), cellOf(column, tenant, row)]);
          // All tables at once have no values in common.
          return query.insert(table as SQLiteTable).values(Object.fromEntries(values));
        }),
      );
    }
  }
}

/** The name that a column has in the code. */
function keyOf(table: SQLiteTable, column: SQLiteColumn): string {
  const [key] = Object.entries(table).find(([, value]) => value === column) ?? expect.fail(column.name);
  return key;
}

/** All rows of a tenant, by table. */
export async function tenantRows({ query }: Database, tenant: string) {
  const found: Record<string, unknown[]> = {};
  for (const table of TABLES)
    found[getTableName(table)] = await query.select().from(table).where(eq(table.tenant, tenant));
  return found;
}
