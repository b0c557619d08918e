import { and, eq, lt, sql } from 'drizzle-orm';
import type { StoredEncoding, StoredTokens, StoredVectorList } from '../models/index.ts';
import { chunks, groups, nextTurn } from '../text/index.ts';
import { type Database, dayOf } from './database.ts';
import { inList, insertPacked } from './rows.ts';
import { encodings, vectorLists } from './schema.ts';

/** Rows read per query: about 1 MB, so that the event loop is not blocked. */
const CHUNK = 64;

const FLOAT = Float32Array.BYTES_PER_ELEMENT;

/** Bytes of rows per statement: D1 takes 2 MB in one parameter. */
const PACKED = 1_000_000;

/** Saves encodings; existing ones stay. */
export async function saveEncodings(
  database: Database,
  encoder: string,
  rows: readonly StoredEncoding[],
): Promise<void> {
  const common = { tenant: database.tenant, encoder, usedOn: dayOf(database.now()) };
  const sizeOf = ({ sentence, tokens, tokenIds }: StoredEncoding) =>
    sentence.byteLength + tokens.byteLength + tokenIds.byteLength;
  for (const group of groups(rows, PACKED, sizeOf)) {
    const packed = group.map(({ textHash, sentence, tokens, tokenIds }) => ({
      key: textHash,
      arrays: { sentence, tokens, tokenIds },
    }));
    await database.commit([insertPacked(database, encodings, 'textHash', common, packed).onConflictDoNothing()]);
    await nextTurn();
  }
}

/** Sentence vectors by text hash; missing ones are absent. They are views of shared buffers. */
export async function readSentenceVectors(
  database: Database,
  encoder: string,
  hashes: readonly string[],
): Promise<Map<string, Float32Array>> {
  const { textHash, sentence, usedOn } = encodings;
  const found = new Map<string, Float32Array>();
  // In index order, so that each of its pages is read once.
  for (const chunk of chunks(hashes.toSorted(), 8 * CHUNK)) {
    const rows = await database.query
      .select({ textHash, sentence, usedOn })
      .from(encodings)
      .where(among(database, encoder, chunk));
    // One buffer, which is transferred to another thread as a whole.
    const block = new Float32Array(rows.reduce((sum, row) => sum + row.sentence.byteLength / FLOAT, 0));
    let end = 0;
    for (const row of rows) {
      const vector = block.subarray(end, end + row.sentence.byteLength / FLOAT);
      vector.set(new Float32Array(row.sentence.buffer));
      found.set(row.textHash, vector);
      end += vector.length;
    }
    await noteUse(database, encoder, rows);
    await nextTurn();
  }
  return found;
}

/** Token vectors by text hash; missing ones are absent. */
export async function readTokens(
  database: Database,
  encoder: string,
  hashes: readonly string[],
): Promise<Map<string, StoredTokens>> {
  const { textHash, tokens, tokenIds, usedOn } = encodings;
  const found = new Map<string, StoredTokens>();
  for (const chunk of chunks(hashes, CHUNK)) {
    const rows = await database.query
      .select({ textHash, tokens, tokenIds, usedOn })
      .from(encodings)
      .where(among(database, encoder, chunk));
    for (const row of rows) {
      const [ownTokens, ownIds] = [new Int8Array(row.tokens.buffer), new Int32Array(row.tokenIds.buffer)];
      found.set(row.textHash, { textHash: row.textHash, tokens: ownTokens, tokenIds: ownIds });
    }
    await noteUse(database, encoder, rows);
    await nextTurn();
  }
  return found;
}

/** Marks encodings as used, once a day, so that retention spares them. */
async function noteUse(
  database: Database,
  encoder: string,
  rows: readonly { readonly textHash: string; readonly usedOn: number }[],
): Promise<void> {
  const usedOn = dayOf(database.now());
  const unnoted = rows.filter((row) => row.usedOn < usedOn).map(({ textHash }) => textHash);
  if (unnoted.length === 0) return;
  const isOlder = and(among(database, encoder, unnoted), lt(encodings.usedOn, usedOn));
  await database.commit([database.query.update(encodings).set({ usedOn }).where(isOlder)]);
}

function among({ tenant }: Database, encoder: string, hashes: readonly string[]) {
  return and(eq(encodings.tenant, tenant), eq(encodings.encoder, encoder), inList(encodings.textHash, hashes));
}

/** Saves lists of vectors for the day. */
export async function saveVectorLists(
  database: Database,
  encoder: string,
  rows: readonly StoredVectorList[],
): Promise<void> {
  const common = { tenant: database.tenant, encoder, usedOn: dayOf(database.now()) };
  const conflict = {
    target: [vectorLists.tenant, vectorLists.key, vectorLists.encoder],
    set: { vectors: sql`excluded.vectors`, usedOn: sql`excluded.used_on` },
  };
  for (const group of groups(rows, PACKED, ({ vectors }) => vectors.byteLength)) {
    const packed = group.map(({ key, vectors }) => ({ key, arrays: { vectors } }));
    await database.commit([insertPacked(database, vectorLists, 'key', common, packed).onConflictDoUpdate(conflict)]);
    await nextTurn();
  }
}

/**
 * Lists of vectors by key; missing ones are absent, and so are those of another day: once a day their vectors are read text by
 * text, so that retention knows that they are in use, and saved as a list again.
 */
export async function readVectorLists(
  { query, tenant, now }: Database,
  encoder: string,
  keys: readonly string[],
): Promise<Map<string, Float32Array>> {
  const { key, vectors, usedOn } = vectorLists;
  const isOfToday = and(eq(vectorLists.tenant, tenant), eq(vectorLists.encoder, encoder), eq(usedOn, dayOf(now())));
  const rows = await query
    .select({ key, vectors })
    .from(vectorLists)
    .where(and(isOfToday, inList(key, keys)));
  return new Map(rows.map((row) => [row.key, new Float32Array(row.vectors.buffer)]));
}
