import { type SQL, sql } from 'drizzle-orm';
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';
import { groups } from '../text/index.ts';
import { TooLongError } from './errors.ts';

/** A cell of a row sent as JSON. No fractions: SQLite may read them differently than they were written. */
type JsonCell = string | number | null;

/** UTF-8 bytes of rows per parameter: D1 takes 2 MB, and the event loop is not blocked. */
const GATHERED = 1_000_000;

/** Max UTF-8 bytes of texts stored whole: a row and a parameter of D1 hold 2 MB, of which other columns take up to 300 kB. */
const MAX = 1_600_000;

/**
 * Rows as JSON arrays of arrays, each filling one parameter, so that few statements write any number of rows. A longer row goes
 * alone.
 */
export function* jsonRows(rows: Iterable<readonly JsonCell[]>): Generator<string> {
  for (const group of groups(spelt(rows), GATHERED, utf8Bytes)) yield `[${group.join()}]`;
}

function* spelt(rows: Iterable<readonly JsonCell[]>): Generator<string> {
  for (const row of rows) yield JSON.stringify(row);
}

/** The nth cell of a row of `json_each` over such JSON. */
export function cell(place: number): SQL {
  return sql.raw(`value ->> ${place}`);
}

/** Whether texts fit whole into a row and a parameter of every store. */
export function fitsRow(...texts: readonly string[]): boolean {
  return texts.reduce((sum, text) => sum + utf8Bytes(text), 0) <= MAX;
}

/** Whether a text fits as a cell of a row sent as JSON, where it is longer. */
export function fitsCell(text: string): boolean {
  return fitsRow(JSON.stringify(text));
}

function utf8Bytes(text: string): number {
  return new TextEncoder().encode(text).byteLength;
}

/** `column in (…)` with one parameter for any number of values: D1 allows 100 parameters a statement. */
export function inList(column: SQLiteColumn, values: readonly string[]): SQL {
  return sql`${column} in (select value from json_each(${JSON.stringify(values)}))`;
}

/** Bytes of rows per statement: D1 takes 2 MB in one parameter. */
export const PACKED = 1_000_000;

/** Binary rows in one parameter. As JSON they would be twice as long, and slow to make. */
interface PackedRows {
  /** A table of one row with all `bytes`, concatenated. */
  readonly pack: SQL;
  /** JSON for `json_each`: for each row its key, and for each of its arrays the 1-based start and the length. */
  readonly places: string;
}

/** Packs rows of arrays for a statement that reads them by `substr(bytes, start, length)`. */
export function packBytes(
  rows: readonly { readonly key: string; readonly arrays: readonly ArrayBufferView[] }[],
): PackedRows {
  const size = rows.reduce((sum, { arrays }) => sum + arrays.reduce((own, array) => own + array.byteLength, 0), 0);
  const bytes = new Uint8Array(size);
  let end = 0;
  const places = rows.map(({ key, arrays }) => [
    key,
    ...arrays.flatMap((array) => {
      bytes.set(new Uint8Array(array.buffer, array.byteOffset, array.byteLength), end);
      end += array.byteLength;
      return [end - array.byteLength + 1, array.byteLength];
    }),
  ]);
  return { pack: sql`(select ${bytes} as bytes) as pack`, places: JSON.stringify(places) };
}

/**
 * A text of more UTF-8 bytes than this is stored in parts of at most as many: rows and parameters of D1 hold 2 MB, and JSON can
 * make six bytes of one.
 */
export const PART_BYTES = 300_000;

/** A text as stored: whole and without parts, or empty with parts. */
interface KeptText {
  readonly text: string;
  readonly parts: readonly string[];
}

/** Parts end between code points; the same text always gives the same parts. */
export function cutText(text: string): KeptText {
  if (3 * text.length <= PART_BYTES) return { text, parts: [] }; // no code unit has more bytes
  const encoder = new TextEncoder();
  const scratch = new Uint8Array(PART_BYTES);
  const parts: string[] = [];
  for (let at = 0; at < text.length; ) {
    // Reads whole code points only: a surrogate pair that the slice splits needs more room than is left.
    const { read } = encoder.encodeInto(text.slice(at, at + PART_BYTES), scratch);
    parts.push(text.slice(at, at + read));
    at += read;
  }
  return parts.length === 1 ? { text, parts: [] } : { text: '', parts };
}

/**
 * The text, if it fits whole into a row of every store.
 *
 * @throws TooLongError
 */
export function fitting(what: string, text: string): string {
  if (!fitsRow(text)) throw new TooLongError(what);
  return text;
}
