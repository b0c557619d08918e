import { and, eq, lt } from 'drizzle-orm';
import { chunks, nextTurn } from './chunks.ts';
import type { Database } from './database.ts';
import { inList } from './in-list.ts';
import { encodings } from './schema.ts';

/** Rows read or written at a time: at most about 1 MB, so that the event loop is not held up. */
const CHUNK = 64;

export interface StoredEncoding {
  readonly textHash: string;
  readonly sentence: Float32Array;
  readonly tokens: Int8Array;
  readonly tokenIds: Int32Array;
}

export type StoredTokens = Omit<StoredEncoding, 'sentence'>;

/** Keeps encodings; those that are there already stay as they are. */
export async function saveEncodings(
  database: Database,
  encoder: string,
  rows: readonly StoredEncoding[],
): Promise<void> {
  for (const chunk of chunks(rows, CHUNK)) {
    await database.commit(
      chunk.map((row) =>
        database.query
          .insert(encodings)
          .values({
            tenant: database.tenant,
            textHash: row.textHash,
            encoder,
            usedOn: today(database),
            sentence: toBuffer(row.sentence),
            tokens: toBuffer(row.tokens),
            tokenIds: toBuffer(row.tokenIds),
          })
          .onConflictDoNothing(),
      ),
    );
    await nextTurn();
  }
}

/** Sentence vectors of these texts, by hash; missing ones are absent. */
export async function readSentenceVectors(
  database: Database,
  encoder: string,
  hashes: readonly string[],
): Promise<Map<string, Float32Array>> {
  const found = new Map<string, Float32Array>();
  for (const chunk of chunks(hashes, 8 * CHUNK)) {
    const rows = await database.query
      .select({ textHash: encodings.textHash, sentence: encodings.sentence, usedOn: encodings.usedOn })
      .from(encodings)
      .where(among(database, encoder, chunk));
    for (const row of rows) found.set(row.textHash, new Float32Array(ownBytes(row.sentence)));
    if (rows.some(({ usedOn }) => usedOn < today(database))) await noteUse(database, encoder, chunk);
    await nextTurn();
  }
  return found;
}

/** Token vectors of these texts, by hash; missing ones are absent. */
export async function readTokens(
  database: Database,
  encoder: string,
  hashes: readonly string[],
): Promise<Map<string, StoredTokens>> {
  const found = new Map<string, StoredTokens>();
  for (const chunk of chunks(hashes, CHUNK)) {
    const rows = await database.query
      .select({ textHash: encodings.textHash, tokens: encodings.tokens, tokenIds: encodings.tokenIds })
      .from(encodings)
      .where(among(database, encoder, chunk));
    for (const row of rows) {
      found.set(row.textHash, {
        textHash: row.textHash,
        tokens: new Int8Array(ownBytes(row.tokens)),
        tokenIds: new Int32Array(ownBytes(row.tokenIds)),
      });
    }
    await nextTurn();
  }
  return found;
}

/** Notes once a day that encodings are in use, so that retention spares them. */
async function noteUse(database: Database, encoder: string, hashes: readonly string[]): Promise<void> {
  const usedOn = today(database);
  await database.commit([
    database.query
      .update(encodings)
      .set({ usedOn })
      .where(and(among(database, encoder, hashes), lt(encodings.usedOn, usedOn))),
  ]);
}

/** Days since 1970. */
function today(database: Database): number {
  return Math.floor(database.now() / 86_400_000);
}

function among({ tenant }: Database, encoder: string, hashes: readonly string[]) {
  return and(eq(encodings.tenant, tenant), eq(encodings.encoder, encoder), inList(encodings.textHash, hashes));
}

function toBuffer(array: Float32Array | Int8Array | Int32Array): Buffer {
  return Buffer.from(array.buffer, array.byteOffset, array.byteLength);
}

/** A copy with an aligned start of its own: drivers hand out views into larger buffers. */
function ownBytes(bytes: Uint8Array): ArrayBuffer {
  return new Uint8Array(bytes).buffer;
}
