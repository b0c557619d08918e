import type { BatchItem } from 'drizzle-orm/batch';
import type { BaseSQLiteDatabase } from 'drizzle-orm/sqlite-core';
import type * as schema from './schema.ts';

/** Tessera's database, whatever driver is under it. */
export interface Database {
  readonly query: BaseSQLiteDatabase<'sync' | 'async', unknown, typeof schema>;

  /**
   * Writes all statements or none. The only way to write: D1 has batches but no interactive transactions.
   *
   * @param statements drizzle inserts, updates and deletes, not yet executed
   */
  commit(statements: readonly BatchItem<'sqlite'>[]): Promise<void>;

  /** Milliseconds since 1970. */
  now(): number;
}
