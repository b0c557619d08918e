import { type SQL, sql } from 'drizzle-orm';
import type { BatchItem } from 'drizzle-orm/batch';
import type { BaseSQLiteDatabase } from 'drizzle-orm/sqlite-core';
import type * as schema from './schema.ts';

/** The whole database, with any driver; for work across tenants, such as the job queue. */
export interface Connection {
  readonly query: BaseSQLiteDatabase<'sync' | 'async', unknown, typeof schema>;

  /**
   * Executes all statements or none. The only way to write several: D1 has batches but no interactive transactions.
   *
   * @param statements drizzle inserts, updates and deletes
   */
  commit(statements: readonly BatchItem<'sqlite'>[]): Promise<void>;

  /**
   * Executes one writing statement that returns rows; retries while another process writes.
   *
   * @param statement creates the statement; drizzle executes it when awaited
   */
  write<T>(statement: () => PromiseLike<T>): Promise<T>;

  /** Milliseconds since 1970. */
  now(): number;

  /** Bytes of vectors that may stay in memory; none by default. */
  readonly heldBytes?: number | undefined;
}

/** The rows of one tenant: all that code serving a caller can reach. */
export interface Database extends Connection {
  readonly tenant: string;
}

/** The tenant of a service without keys. */
export const DEFAULT_TENANT = 'default';

export function forTenant({ query, commit, write, now, heldBytes }: Connection, tenant: string): Database {
  return { query, commit, write, now, heldBytes, tenant };
}

/** Executes a statement; whether it wrote a row. */
export async function wrote(
  { write }: Connection,
  statement: { returning(fields: { readonly one: SQL }): PromiseLike<readonly unknown[]> },
): Promise<boolean> {
  const returning = statement.returning({ one: sql`1` });
  return (await write(() => returning)).length > 0;
}

/** Milliseconds. */
export const DAY = 86_400_000;

/** Days since 1970. */
export function dayOf(time: number): number {
  return Math.floor(time / DAY);
}
