import { and, eq, sql } from 'drizzle-orm';
import type { StoredText } from '../models/index.ts';
import { chunks, groups, nextTurn } from '../text/index.ts';
import type { Database } from './database.ts';
import { cutText, inList, insertRows } from './rows.ts';
import { documents } from './schema.ts';
import { insertDocumentChunks, readDocumentChunks } from './text-parts.ts';

/** Texts read per query. */
const CHUNK = 50;

/** Texts marked as used per statement. */
const NOTED = 500;

/** Code units written per commit, so that the event loop is not blocked. */
const WRITTEN = 1_000_000;

/** Saves texts by hash; those already stored are marked as used. */
export async function saveDocuments(database: Database, texts: readonly StoredText[]): Promise<void> {
  const known = await noteUse(database, texts);
  const fresh = texts.filter(({ hash }) => !known.has(hash));
  for (const [index, group] of [...groups(fresh, WRITTEN, ({ text }) => text.length)].entries()) {
    if (index > 0) await nextTurn();
    await saveAtOnce(database, group);
  }
}

/** Marks stored texts as used and returns their hashes. Marked before they are read: retention must not delete them in between. */
async function noteUse(database: Database, texts: readonly StoredText[]): Promise<ReadonlySet<string>> {
  const { query, tenant, commit } = database;
  const known = new Set<string>();
  for (const chunk of chunks(texts, NOTED)) {
    const hashes = chunk.map(({ hash }) => hash);
    const isAmong = and(eq(documents.tenant, tenant), inList(documents.hash, hashes));
    await commit([query.update(documents).set({ usedAt: database.now() }).where(isAmong)]);
    for (const { hash } of await query.select({ hash: documents.hash }).from(documents).where(isAmong)) known.add(hash);
  }
  return known;
}

async function saveAtOnce(database: Database, given: readonly StoredText[]): Promise<void> {
  const { tenant } = database;
  const usedAt = database.now();
  const kept = given.map(({ hash, text }) => ({ hash, ...cutText(text) }));
  const common = { tenant, createdAt: usedAt, usedAt };
  const texts = kept.map(({ hash, text, parts }) => ({ hash, text, parts: parts.length }));
  const inserts = insertRows(database, documents, common, texts).map((insert) =>
    insert.onConflictDoUpdate({ target: [documents.tenant, documents.hash], set: { usedAt } }),
  );
  const isChunked = sql`exists (select 1 from ${documents} as d
    where d.tenant = ${tenant} and d.hash = owned.hash and d.parts = owned.parts)`;
  const long = kept.map(({ hash, parts }) => ({ documentHash: hash, parts }));
  await database.commit([...inserts, ...insertDocumentChunks(database, 'text', long, isChunked)]);
}

/** Texts by hash; missing ones are absent. */
export async function readDocuments(database: Database, hashes: readonly string[]): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const chunk of chunks(hashes, CHUNK)) {
    const rows = await database.query
      .select({ hash: documents.hash, text: documents.text, parts: documents.parts })
      .from(documents)
      .where(and(eq(documents.tenant, database.tenant), inList(documents.hash, chunk)));
    const long = new Map<string, number>();
    for (const { hash, text, parts } of rows) {
      if (parts === 0) found.set(hash, text);
      else long.set(hash, parts);
    }
    for (const [hash, text] of await readDocumentChunks(database, 'text', long)) found.set(hash, text);
    if (chunk.length === CHUNK) await nextTurn();
  }
  return found;
}
