import type { Database } from './database.ts';
import { inList } from './in-list.ts';
import { documents } from './schema.ts';

export interface StoredText {
  /** Content hash of `text`. */
  readonly hash: string;
  readonly text: string;
}

/** Keeps texts by hash; those that are there already stay as they are. */
export async function saveDocuments(database: Database, texts: readonly StoredText[]): Promise<void> {
  const createdAt = database.now();
  await database.commit(
    texts.map((text) =>
      database.query
        .insert(documents)
        .values({ ...text, createdAt })
        .onConflictDoNothing(),
    ),
  );
}

/** The texts with these hashes; missing ones are absent. */
export async function readDocuments(database: Database, hashes: readonly string[]): Promise<Map<string, string>> {
  const rows = await database.query.select().from(documents).where(inList(documents.hash, hashes));
  return new Map(rows.map((row) => [row.hash, row.text]));
}
