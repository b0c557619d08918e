import { and, eq, sql } from 'drizzle-orm';
import type { StoredVectorList } from '../models/index.ts';
import { groups, nextTurn } from '../text/index.ts';
import type { Database } from './database.ts';
import { dayOf } from './days.ts';
import { inList } from './in-list.ts';
import { cell } from './json-rows.ts';
import { PACKED, packBytes } from './packed-rows.ts';
import { vectorLists } from './schema.ts';

/** Keeps lists of vectors, for the day. */
export async function saveVectorLists(
  database: Database,
  encoder: string,
  rows: readonly StoredVectorList[],
): Promise<void> {
  const { query, tenant } = database;
  for (const group of groups(rows, PACKED, ({ vectors }) => vectors.byteLength)) {
    const { pack, places } = packBytes(group.map(({ key, vectors }) => ({ key, arrays: [vectors] })));
    await database.commit([
      query
        .insert(vectorLists)
        .select(
          sql`select ${tenant}, ${cell(0)}, ${encoder}, substr(bytes, ${cell(1)}, ${cell(2)}), ${dayOf(database.now())}
            from ${pack}, json_each(${places}) where true`,
        )
        .onConflictDoUpdate({
          target: [vectorLists.tenant, vectorLists.key, vectorLists.encoder],
          set: { vectors: sql`excluded.vectors`, usedOn: sql`excluded.used_on` },
        }),
    ]);
    await nextTurn();
  }
}

/**
 * Lists of vectors by key; missing ones are absent, and so are those of another day: their vectors are read text by text once a day,
 * so that retention knows that those are in use, and kept as a list again.
 *
 * @param keys of lists that may be read at a time
 */
export async function readVectorLists(
  { query, tenant, now }: Database,
  encoder: string,
  keys: readonly string[],
): Promise<Map<string, Float32Array>> {
  const rows = await query
    .select({ key: vectorLists.key, vectors: vectorLists.vectors })
    .from(vectorLists)
    .where(
      and(
        eq(vectorLists.tenant, tenant),
        eq(vectorLists.encoder, encoder),
        inList(vectorLists.key, keys),
        eq(vectorLists.usedOn, dayOf(now())),
      ),
    );
  return new Map(rows.map(({ key, vectors }) => [key, new Float32Array(vectors.buffer)]));
}
