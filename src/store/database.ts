import type { BatchItem } from 'drizzle-orm/batch';
import type { BaseSQLiteDatabase } from 'drizzle-orm/sqlite-core';
import type * as schema from './schema.ts';

/** A database as a whole, whatever driver is under it; for what serves all tenants, such as a queue. */
export interface Connection {
  readonly query: BaseSQLiteDatabase<'sync' | 'async', unknown, typeof schema>;

  /**
   * Writes all statements or none. The only way to write more than one: D1 has batches but no interactive transactions.
   *
   * @param statements drizzle inserts, updates and deletes, not yet executed
   */
  commit(statements: readonly BatchItem<'sqlite'>[]): Promise<void>;

  /**
   * Runs one statement that writes and answers rows, again where another process was writing.
   *
   * @param statement makes the statement; drizzle runs it when it is awaited
   */
  write<T>(statement: () => PromiseLike<T>): Promise<T>;

  /** Milliseconds since 1970. */
  now(): number;
}

/** The rows of one tenant: what serves a caller gets nothing else into its hands. */
export interface Database extends Connection {
  readonly tenant: string;
}

/** Whose rows they are where nobody has a key. */
export const DEFAULT_TENANT = 'default';

/** The rows of this tenant. */
export function forTenant({ query, commit, write, now }: Connection, tenant: string): Database {
  return { query, commit, write, now, tenant };
}

/** Milliseconds. */
export const DAY = 86_400_000;

/** Days since 1970. */
export function dayOf(time: number): number {
  return Math.floor(time / DAY);
}
