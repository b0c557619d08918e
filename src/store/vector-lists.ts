import { and, eq, lt, sql } from 'drizzle-orm';
import type { StoredVectorList } from '../models/index.ts';
import { groups, nextTurn } from '../text/index.ts';
import type { Database } from './database.ts';
import { dayOf } from './days.ts';
import { inList } from './in-list.ts';
import { cell } from './json-rows.ts';
import { PACKED, packBytes } from './packed-rows.ts';
import { vectorLists } from './schema.ts';

/** Keeps lists of vectors; those that are there already stay as they are. */
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
        .onConflictDoNothing(),
    ]);
    await nextTurn();
  }
}

/**
 * Lists of vectors by key; missing ones are absent.
 *
 * @param keys of as many vectors as may be read at a time
 */
export async function readVectorLists(
  database: Database,
  encoder: string,
  keys: readonly string[],
): Promise<Map<string, Float32Array>> {
  const { query, tenant } = database;
  const own = and(eq(vectorLists.tenant, tenant), eq(vectorLists.encoder, encoder), inList(vectorLists.key, keys));
  const rows = await query
    .select({ key: vectorLists.key, vectors: vectorLists.vectors, usedOn: vectorLists.usedOn })
    .from(vectorLists)
    .where(own);
  const usedOn = dayOf(database.now());
  // Once a day, so that retention spares them.
  if (rows.some((row) => row.usedOn < usedOn)) {
    await database.commit([
      query
        .update(vectorLists)
        .set({ usedOn })
        .where(and(own, lt(vectorLists.usedOn, usedOn))),
    ]);
  }
  return new Map(rows.map(({ key, vectors }) => [key, new Float32Array(vectors.buffer)]));
}
