import { and, eq, lt, sql } from 'drizzle-orm';
import type { StoredEncoding, StoredTokens, StoredVectorList } from '../models/index.ts';
import { chunks, groups, nextTurn } from '../text/index.ts';
import { type Database, dayOf } from './database.ts';
import { cell, inList, PACKED, packBytes } from './rows.ts';
import { encodings, vectorLists } from './schema.ts';

/** Rows read per query: about 1 MB, so that the event loop is not blocked. */
const CHUNK = 64;

const FLOAT = Float32Array.BYTES_PER_ELEMENT;

/** Saves encodings; existing ones stay. */
export async function saveEncodings(
  database: Database,
  encoder: string,
  rows: readonly StoredEncoding[],
): Promise<void> {
  const { query, tenant } = database;
  for (const group of groups(rows, PACKED, sizeOf)) {
    const { pack, places } = packBytes(
      group.map(({ textHash, sentence, tokens, tokenIds }) => ({
        key: textHash,
        arrays: [sentence, tokens, tokenIds],
      })),
    );
    await database.commit([
      query
        .insert(encodings)
        .select(
          sql`select ${tenant}, ${cell(0)}, ${encoder}, substr(bytes, ${cell(1)}, ${cell(2)}), substr(bytes, ${cell(3)}, ${cell(4)}),
            substr(bytes, ${cell(5)}, ${cell(6)}), ${dayOf(database.now())} from ${pack}, json_each(${places}) where true`,
        )
        .onConflictDoNothing(),
    ]);
    await nextTurn();
  }
}

function sizeOf({ sentence, tokens, tokenIds }: StoredEncoding): number {
  return sentence.byteLength + tokens.byteLength + tokenIds.byteLength;
}

/** Sentence vectors by text hash; missing ones are absent. They are views of shared buffers. */
export async function readSentenceVectors(
  database: Database,
  encoder: string,
  hashes: readonly string[],
): Promise<Map<string, Float32Array>> {
  const found = new Map<string, Float32Array>();
  // In index order, so that each of its pages is read once.
  for (const chunk of chunks(hashes.toSorted(), 8 * CHUNK)) {
    const rows = await database.query
      .select({ textHash: encodings.textHash, sentence: encodings.sentence, usedOn: encodings.usedOn })
      .from(encodings)
      .where(among(database, encoder, chunk));
    // One buffer, which is transferred to another thread as a whole.
    const block = new Float32Array(rows.reduce((sum, { sentence }) => sum + sentence.byteLength / FLOAT, 0));
    let end = 0;
    for (const { textHash, sentence } of rows) {
      const vector = block.subarray(end, end + sentence.byteLength / FLOAT);
      vector.set(new Float32Array(sentence.buffer));
      found.set(textHash, vector);
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
  const found = new Map<string, StoredTokens>();
  for (const chunk of chunks(hashes, CHUNK)) {
    const rows = await database.query
      .select({
        textHash: encodings.textHash,
        tokens: encodings.tokens,
        tokenIds: encodings.tokenIds,
        usedOn: encodings.usedOn,
      })
      .from(encodings)
      .where(among(database, encoder, chunk));
    for (const row of rows) {
      found.set(row.textHash, {
        textHash: row.textHash,
        tokens: new Int8Array(row.tokens.buffer),
        tokenIds: new Int32Array(row.tokenIds.buffer),
      });
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
  await database.commit([
    database.query
      .update(encodings)
      .set({ usedOn })
      .where(and(among(database, encoder, unnoted), lt(encodings.usedOn, usedOn))),
  ]);
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
 * Lists of vectors by key; missing ones are absent, and so are those of another day: once a day their vectors are read text by
 * text, so that retention knows that they are in use, and saved as a list again.
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
