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

type KeyPart = string | number;

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
  keyOf: (row: Row) => readonly KeyPart[],
): Page<Row> {
  const rows = found.slice(0, limit);
  const last = rows.at(-1);
  return { rows, next: found.length > limit && last !== undefined ? cursorOf(keyOf(last)) : null };
}

/** Opaque to callers. */
function cursorOf(key: readonly KeyPart[]): string {
  const bytes = new TextEncoder().encode(JSON.stringify(key));
  const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

/** Cursor of a list ordered by time and id: the key after which the page starts, null for the first page. */
export function timeCursor(cursor: string | undefined): { readonly createdAt: number; readonly id: string } | null {
  if (cursor === undefined) return null;
  const [createdAt, id, ...more] = keyIn(cursor);
  if (typeof createdAt !== 'number' || typeof id !== 'string' || more.length > 0) throw new InvalidCursorError();
  return { createdAt, id };
}

/** The same for a list ordered by id. */
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
    // One message for every fault.
  }
  throw new InvalidCursorError();
}
