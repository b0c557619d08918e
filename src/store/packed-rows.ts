import { type SQL, sql } from 'drizzle-orm';

/** Bytes of rows that are written at a time: D1 takes 2 MB in one parameter. */
export const PACKED = 1_000_000;

/** The numbers of some rows in one parameter. As JSON they would be twice as long, and slow to make. */
interface PackedRows {
  /** A table of one row, with all `bytes` end to end. */
  readonly pack: SQL;
  /** JSON for `json_each`: of each row its key, and for each of its arrays where it begins, counted from 1, and its length. */
  readonly places: string;
}

/** Packs rows of arrays for a statement that writes them by `substr(bytes, begin, length)`. */
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
