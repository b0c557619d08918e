import { and, eq } from 'drizzle-orm';
import { chunks, nextTurn } from './chunks.ts';
import type { Database } from './database.ts';
import { inList } from './in-list.ts';
import { documents } from './schema.ts';

export interface StoredText {
  /** Content hash of `text`. */
  readonly hash: string;
  readonly text: string;
}

/** Texts written at a time, so that the event loop is not held up. */
const CHUNK = 50;

/** Keeps texts by hash; of those that are there already it is noted that they came again. */
export async function saveDocuments(database: Database, texts: readonly StoredText[]): Promise<void> {
  const { tenant } = database;
  const usedAt = database.now();
  for (const chunk of chunks(texts, CHUNK)) {
    await database.commit(
      chunk.map((text) =>
        database.query
          .insert(documents)
          .values({ ...text, tenant, createdAt: usedAt, usedAt })
          .onConflictDoUpdate({ target: [documents.tenant, documents.hash], set: { usedAt } }),
      ),
    );
    if (chunk.length === CHUNK) await nextTurn();
  }
}

/** The texts with these hashes; missing ones are absent. */
export async function readDocuments(database: Database, hashes: readonly string[]): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const chunk of chunks(hashes, CHUNK)) {
    const rows = await database.query
      .select({ hash: documents.hash, text: documents.text })
      .from(documents)
      .where(and(eq(documents.tenant, database.tenant), inList(documents.hash, chunk)));
    for (const row of rows) found.set(row.hash, row.text);
    if (chunk.length === CHUNK) await nextTurn();
  }
  return found;
}
