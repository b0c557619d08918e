import { and, asc, eq, type SQL, sql } from 'drizzle-orm';
import type { BatchItem } from 'drizzle-orm/batch';
import type { Database } from './database.ts';
import { inList } from './in-list.ts';
import { cell, jsonRows } from './json-rows.ts';
import { documentChunks } from './schema.ts';

/** The parts of something that is made of a text. */
interface DocumentChunks {
  readonly documentHash: string;
  readonly parts: readonly string[];
}

/** About 5 MB. */
const PARTS_AT_ONCE = 16;

/**
 * Statements that keep parts, for the commit that keeps what they are parts of.
 *
 * @param isOwned that the row of `owned.hash` is kept in `owned.parts` parts. It is not where the row was there before, whole or as
 *   another text: parts beside it would be nobody's
 */
export function insertDocumentChunks(
  { query, tenant }: Database,
  kind: string,
  rows: readonly DocumentChunks[],
  isOwned: SQL,
): BatchItem<'sqlite'>[] {
  const cells = rows.flatMap(({ documentHash, parts }) =>
    parts.map((text, part) => [documentHash, part, text, parts.length]),
  );
  return [...jsonRows(cells)].map((json) =>
    query
      .insert(documentChunks)
      .select(
        sql`select ${tenant}, owned.hash, ${kind}, owned.part, owned.text
          from (select ${cell(0)} as hash, ${cell(1)} as part, ${cell(2)} as text, ${cell(3)} as parts from json_each(${json})) as owned
          where ${isOwned}`,
      )
      .onConflictDoNothing(),
  );
}

/**
 * Texts of a kind that are in parts, by the hash of their document; what is gone meanwhile is absent.
 *
 * @param partsOf how many parts each has
 */
export async function readDocumentChunks(
  { query, tenant }: Database,
  kind: string,
  partsOf: ReadonlyMap<string, number>,
): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const hashes of inGroups(partsOf)) {
    const rows = await query
      .select({ hash: documentChunks.documentHash, text: documentChunks.text })
      .from(documentChunks)
      .where(
        and(
          eq(documentChunks.tenant, tenant),
          inList(documentChunks.documentHash, hashes),
          eq(documentChunks.kind, kind),
        ),
      )
      .orderBy(asc(documentChunks.documentHash), asc(documentChunks.part));
    const texts = new Map<string, string[]>(hashes.map((hash) => [hash, []]));
    for (const { hash, text } of rows) texts.get(hash)?.push(text);
    for (const [hash, parts] of texts) if (parts.length === partsOf.get(hash)) found.set(hash, parts.join(''));
  }
  return found;
}

function* inGroups(partsOf: ReadonlyMap<string, number>): Generator<string[]> {
  let group: string[] = [];
  let size = 0;
  for (const [hash, parts] of partsOf) {
    if (group.length > 0 && size + parts > PARTS_AT_ONCE) {
      yield group;
      group = [];
      size = 0;
    }
    group.push(hash);
    size += parts;
  }
  if (group.length > 0) yield group;
}
