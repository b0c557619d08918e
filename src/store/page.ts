import { and, desc, type SQL, sql } from 'drizzle-orm';
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';
import { InvalidCursorError } from './errors.ts';

export interface PageRequest {
  /** Max rows, from 1. */
  readonly limit: number;
  /** `next` of the previous page; missing for the first. */
  readonly cursor?: string | undefined;
}

export interface Page<Row> {
  readonly rows: readonly Row[];
  /** Cursor of the next page, or null. */
  readonly next: string | null;
}

/**
 * A page of rows in key order. Pages start after a key, not at an offset, so that rows added or removed meanwhile neither repeat
 * nor hide others.
 *
 * @param found one row more than `limit` if there are more
 * @param keyOf the sort key of a row
 */
export function pageOf<Row>(
  found: readonly Row[],
  { limit }: PageRequest,
  keyOf: (row: Row) => readonly (string | number)[],
): Page<Row> {
  const rows = found.slice(0, limit);
  const last = rows.at(-1);
  return { rows, next: found.length > limit && last !== undefined ? cursorOf(keyOf(last)) : null };
}

/** Opaque to callers. */
function cursorOf(key: readonly (string | number)[]): string {
  const bytes = new TextEncoder().encode(JSON.stringify(key));
  const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

/** A query of a list, without conditions. */
interface Select<Row> {
  where(condition: SQL | undefined): {
    orderBy(...order: SQL[]): { limit(most: number): PromiseLike<readonly Row[]> };
  };
}

/** A page of the rows of a list that meet a condition, newest first. @throws InvalidCursorError */
export async function newestFirst<Row extends { readonly createdAt: number }>(
  request: PageRequest,
  list: Select<Row>,
  condition: SQL | undefined,
  [time, id]: readonly [SQLiteColumn, SQLiteColumn],
  idOf: (row: Row) => string,
): Promise<Page<Row>> {
  const after = keyIn(request.cursor, ['number', 'string']);
  const isOlder = after && sql`(${time}, ${id}) < (${after[0]}, ${after[1]})`;
  const found = await list
    .where(and(condition, isOlder))
    .orderBy(desc(time), desc(id))
    .limit(request.limit + 1);
  return pageOf(found, request, (row) => [row.createdAt, idOf(row)]);
}

/** The key in a cursor, of parts of these types; none for the first page. @throws InvalidCursorError */
export function keyIn(cursor: string | undefined, types: readonly string[]): readonly unknown[] | undefined {
  if (cursor === undefined) return undefined;
  try {
    const binary = atob(cursor.replaceAll('-', '+').replaceAll('_', '/'));
    const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
    const key: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    if (Array.isArray(key) && String(key.map((part) => typeof part)) === String(types)) return key;
  } catch {
    // One message for every fault.
  }
  throw new InvalidCursorError();
}
