import { InvalidCursorError } from './errors.ts';

/** A part of a list that is asked for. */
export interface PageRequest {
  /** Rows at most, from 1. */
  readonly limit: number;
  /** `next` of the page before; the first page without one. */
  readonly cursor?: string | undefined;
}

/** A part of a list. */
export interface Page<Row> {
  readonly rows: readonly Row[];
  /** Cursor of the page after this; null where there is none. */
  readonly next: string | null;
}

type KeyPart = string | number;

/**
 * A page of rows in the order of their keys. Pages start after a key, not at a number of rows, so that what is added or
 * removed meanwhile neither repeats nor hides another row.
 *
 * @param found one row more than `limit` where there are more
 * @param keyOf what the list is ordered by
 */
export function pageOf<Row>(
  found: readonly Row[],
  { limit }: PageRequest,
  keyOf: (row: Row) => readonly KeyPart[],
): Page<Row> {
  const rows = found.slice(0, limit);
  const last = rows.at(-1);
  return { rows, next: found.length > limit && last !== undefined ? cursorOf(keyOf(last)) : null };
}

/** A key as base64url, so that nobody takes it for more than it is. */
function cursorOf(key: readonly KeyPart[]): string {
  const bytes = new TextEncoder().encode(JSON.stringify(key));
  const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

/** The cursor of a list that is ordered by time and id: the key after which the page starts, null for the first page. */
export function timeCursor(cursor: string | undefined): { readonly createdAt: number; readonly id: string } | null {
  if (cursor === undefined) return null;
  const [createdAt, id, ...more] = keyIn(cursor);
  if (typeof createdAt !== 'number' || typeof id !== 'string' || more.length > 0) throw new InvalidCursorError();
  return { createdAt, id };
}

/** The same of a list that is ordered by id. */
export function idCursor(cursor: string | undefined): string | null {
  if (cursor === undefined) return null;
  const [id, ...more] = keyIn(cursor);
  if (typeof id !== 'string' || more.length > 0) throw new InvalidCursorError();
  return id;
}

/** @throws InvalidCursorError */
function keyIn(cursor: string): readonly unknown[] {
  try {
    const binary = atob(cursor.replaceAll('-', '+').replaceAll('_', '/'));
    const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
    const key: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    if (Array.isArray(key)) return key;
  } catch {
    // Says the same of whatever is wrong with it.
  }
  throw new InvalidCursorError();
}
