import { and, eq, sql } from 'drizzle-orm';
import type { StoredTokens, WorkCache } from '../models/index.ts';
import { chunks, nextTurn } from '../text/index.ts';
import { type Database, dayOf } from './database.ts';
import { heldLists } from './held-lists.ts';
import { inList, insertPacked, noteUse } from './rows.ts';
import { encodings, vectorLists } from './schema.ts';

/** Rows read per query: about 1 MB, so that the event loop is not blocked. */
const CHUNK = 64;

const FLOAT = Float32Array.BYTES_PER_ELEMENT;

type EncodingMethods =
  | 'saveEncodings'
  | 'readSentenceVectors'
  | 'readTokens'
  | 'saveVectorLists'
  | 'readVectorLists'
  | 'readPacked';

/** Vectors of texts, and lists of them, in the rows of a tenant. */
export function encodingCache(database: Database): Pick<WorkCache, EncodingMethods> {
  const { query, commit, tenant, now } = database;
  const readLists = async (encoder: string, keys: readonly string[]) => {
    const { key, vectors, usedOn } = vectorLists;
    const isOfToday = eq(usedOn, dayOf(now()));
    const rows = await query
      .select({ key, vectors })
      .from(vectorLists)
      .where(and(eq(vectorLists.tenant, tenant), eq(vectorLists.encoder, encoder), isOfToday, inList(key, keys)));
    return new Map(rows.map((row) => [row.key, new Float32Array(row.vectors.buffer)]));
  };
  return {
    async saveEncodings(encoder, rows) {
      const common = { tenant, encoder, usedOn: dayOf(now()) };
      const names = ['sentence', 'tokens', 'tokenIds'] as const;
      for (const insert of insertPacked(database, encodings, 'textHash', names, common, rows)) {
        await commit([insert.onConflictDoNothing()]);
        await nextTurn();
      }
    },

    /** The vectors are views of shared buffers. */
    async readSentenceVectors(encoder, hashes) {
      const { textHash, sentence, usedOn } = encodings;
      const found = new Map<string, Float32Array>();
      // In index order, so that each of its pages is read once.
      for (const chunk of chunks(hashes.toSorted(), 8 * CHUNK)) {
        const isAmong = among(database, encoder, chunk);
        const rows = await query.select({ textHash, sentence, usedOn }).from(encodings).where(isAmong);
        // One buffer, which is transferred to another thread as a whole.
        const block = new Float32Array(rows.reduce((sum, row) => sum + row.sentence.byteLength / FLOAT, 0));
        let end = 0;
        for (const row of rows) {
          const vector = block.subarray(end, end + row.sentence.byteLength / FLOAT);
          vector.set(new Float32Array(row.sentence.buffer));
          found.set(row.textHash, vector);
          end += vector.length;
        }
        await noteUse(database, encodings, isAmong, rows);
        await nextTurn();
      }
      return found;
    },

    async readTokens(encoder, hashes) {
      const { textHash, tokens, tokenIds, usedOn } = encodings;
      const found = new Map<string, StoredTokens>();
      for (const chunk of chunks(hashes, CHUNK)) {
        const isAmong = among(database, encoder, chunk);
        const rows = await query.select({ textHash, tokens, tokenIds, usedOn }).from(encodings).where(isAmong);
        for (const row of rows) {
          const [own, ids] = [new Int8Array(row.tokens.buffer), new Int32Array(row.tokenIds.buffer)];
          found.set(row.textHash, { textHash: row.textHash, tokens: own, tokenIds: ids });
        }
        await noteUse(database, encodings, isAmong, rows);
        await nextTurn();
      }
      return found;
    },

    /** For the day. */
    async saveVectorLists(encoder, rows) {
      const common = { tenant, encoder, usedOn: dayOf(now()) };
      const conflict = {
        target: [vectorLists.tenant, vectorLists.key, vectorLists.encoder],
        set: { vectors: sql`excluded.vectors`, usedOn: sql`excluded.used_on` },
      };
      for (const insert of insertPacked(database, vectorLists, 'key', ['vectors'], common, rows)) {
        await commit([insert.onConflictDoUpdate(conflict)]);
        await nextTurn();
      }
    },

    /**
     * Those of another day are absent: once a day their vectors are read text by text, so that retention knows that they are in
     * use, and saved as a list again.
     */
    readVectorLists: readLists,

    readPacked: (encoder, keys) => heldLists(database, encoder, keys, (missing) => readLists(encoder, missing)),
  };
}

function among({ tenant }: Database, encoder: string, hashes: readonly string[]) {
  return and(eq(encodings.tenant, tenant), eq(encodings.encoder, encoder), inList(encodings.textHash, hashes));
}
