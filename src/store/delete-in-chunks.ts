import { type SQL, sql } from 'drizzle-orm';
import { getTableConfig, type SQLiteTable } from 'drizzle-orm/sqlite-core';
import { nextTurn } from '../text/index.ts';
import { Budget } from './budget.ts';
import type { Connection } from './database.ts';

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
