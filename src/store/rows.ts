import { and, getTableColumns, lt, type SQL, sql } from 'drizzle-orm';
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core';
import { groups } from '../text/index.ts';
import { type Connection, dayOf } from './database.ts';
import { TooLongError } from './errors.ts';
import type { encodings, judgements } from './schema.ts';

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
export function* jsonRows(rows: readonly (readonly JsonCell[])[]): Generator<string> {
  const spelt = rows.map((row) => JSON.stringify(row));
  for (const group of groups(spelt, GATHERED, utf8Bytes)) yield `[${group.join()}]`;
}

/** The nth cell of a row of `json_each` over such JSON. */
export function cell(place: number): SQL {
  return sql.raw(`value ->> ${place}`);
}

type RowOf<Table extends SQLiteTable> = { readonly [Column in keyof Table['$inferInsert']]?: unknown };

/** The values of a row in the order of the table's columns, as `insert … select` takes them; missing ones are the defaults. */
export function valuesOf<Table extends SQLiteTable>(table: Table, row: RowOf<Table>): SQL {
  const given: Readonly<Record<string, unknown>> = row;
  const columns = Object.entries(getTableColumns(table));
  return sql.join(
    columns.map(([name, column]) => sql`${given[name] ?? column.default ?? null}`),
    sql`, `,
  );
}

/**
 * Statements that insert rows, as few as hold them.
 *
 * @param common values of every row
 * @param rows each with the same columns
 * @param guard condition for inserting them
 */
export function insertRows<Table extends SQLiteTable>(
  { query }: Connection,
  table: Table,
  common: RowOf<Table>,
  rows: readonly Readonly<Record<string, JsonCell>>[],
  guard: SQL = sql`true`,
) {
  const names = Object.keys(rows[0] ?? {});
  const cells = Object.fromEntries(names.map((name, place) => [name, cell(place)]));
  const values = valuesOf(table, { ...common, ...cells });
  return [...jsonRows(rows.map((row) => names.map((name) => row[name])))].map((json) =>
    query.insert(table).select(sql`select ${values} from json_each(${json}) where ${guard}`),
  );
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

/** Marks read rows as used, once a day, so that retention spares them. */
export async function noteUse(
  { query, commit, now }: Connection,
  table: typeof encodings | typeof judgements,
  wereRead: SQL | undefined,
  rows: readonly { readonly usedOn: number }[],
): Promise<void> {
  const usedOn = dayOf(now());
  if (rows.every((row) => row.usedOn >= usedOn)) return;
  await commit([
    query
      .update(table)
      .set({ usedOn })
      .where(and(wereRead, lt(table.usedOn, usedOn))),
  ]);
}

/**
 * Statements that insert rows of arrays, concatenated in one parameter each. As JSON they would be twice as long, and slow to make.
 *
 * @param key the column of the keys
 * @param names of the arrays
 * @param common values of every row
 */
export function* insertPacked<Table extends SQLiteTable, Key extends string, Name extends string>(
  { query }: Connection,
  table: Table,
  key: Key,
  names: readonly Name[],
  common: RowOf<Table>,
  rows: readonly Readonly<Record<Key, string> & Record<Name, ArrayBufferView>>[],
) {
  const slices = names.map((name, i) => [name, sql`substr(bytes, ${cell(2 * i + 1)}, ${cell(2 * i + 2)})`]);
  const values = valuesOf(table, { ...common, [key]: cell(0), ...Object.fromEntries(slices) });
  const sizeOf = (row: (typeof rows)[number]) => names.reduce((sum, name) => sum + row[name].byteLength, 0);
  for (const group of groups(rows, GATHERED, sizeOf)) {
    const bytes = new Uint8Array(group.reduce((sum, row) => sum + sizeOf(row), 0));
    let end = 0;
    // For each row its key, and for each of its arrays the 1-based start and the length.
    const places = group.map((row) => [
      row[key],
      ...names.flatMap((name) => {
        const { buffer, byteOffset, byteLength } = row[name];
        bytes.set(new Uint8Array(buffer, byteOffset, byteLength), end);
        end += byteLength;
        return [end - byteLength + 1, byteLength];
      }),
    ]);
    const pack = sql`(select ${bytes} as bytes) as pack, json_each(${JSON.stringify(places)})`;
    yield query.insert(table).select(sql`select ${values} from ${pack} where true`);
  }
}

/**
 * A text of more UTF-8 bytes than this is stored in parts of at most as many: rows and parameters of D1 hold 2 MB, and JSON can
 * make six bytes of one.
 */
export const PART_BYTES = 300_000;

/**
 * A text as stored: whole and without parts, or empty with parts. Parts end between code points; the same text always gives the same parts.
 */
export function cutText(text: string): { readonly text: string; readonly parts: readonly string[] } {
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

/** The text, if it fits whole into a row of every store. @throws TooLongError */
export function fitting(what: string, text: string): string {
  if (!fitsRow(text)) throw new TooLongError(what);
  return text;
}
