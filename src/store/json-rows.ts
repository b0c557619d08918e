import { type SQL, sql } from 'drizzle-orm';
import { groups } from '../text/index.ts';

/** A cell of a row that travels as JSON. Fractions do not: SQLite may read them differently than they were written. */
type JsonCell = string | number | null;

/** UTF-8 bytes of rows that go into one parameter: D1 takes 2 MB, and the event loop is not held up. */
const GATHERED = 1_000_000;

/** UTF-8 bytes of texts that are kept whole: a row and a parameter of D1 hold 2 MB, and there is up to 300 kB of others beside them. */
const MAX = 1_600_000;

/**
 * Rows as JSON arrays of arrays, as many in each as one parameter holds: however many rows there are, few statements write
 * them. A row that is longer goes alone.
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

/** Whether texts fit into a row and a parameter of every store, whole. */
export function fitsRow(...texts: readonly string[]): boolean {
  return texts.reduce((sum, text) => sum + utf8Bytes(text), 0) <= MAX;
}

/** Whether a text fits as a cell of a row that travels as JSON, where it is longer. */
export function fitsCell(text: string): boolean {
  return fitsRow(JSON.stringify(text));
}

function utf8Bytes(text: string): number {
  return new TextEncoder().encode(text).byteLength;
}
