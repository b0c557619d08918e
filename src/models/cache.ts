import { recentlyUsed } from '../text/index.ts';

export interface StoredEncoding extends StoredTokens {
  readonly sentence: Float32Array;
}

export interface StoredTokens {
  readonly textHash: string;
  readonly tokens: Int8Array;
  readonly tokenIds: Int32Array;
}

export interface ExtractionKey {
  readonly documentHash: string;
  readonly extractor: string;
}

export interface StoredExtraction extends ExtractionKey {
  readonly language: string;
  readonly words: number;
  readonly keyPoints: string;
  readonly unverified: string;
}

interface StoredJudgement {
  readonly key: string;
  readonly kind: string;
  readonly verdict: string;
}

export interface StoredText {
  readonly hash: string;
  readonly text: string;
}

/** Stores encodings, extractions and judgements under all they depend on. Saving keeps existing entries. Errors fail the digest. */
export interface WorkCache {
  /** Where the entries are. Caches with the same `source` and `scope` hold the same entries and share pending work. */
  readonly source: object;
  readonly scope: string;
  readSentenceVectors(encoder: string, hashes: readonly string[]): Promise<Map<string, Float32Array>>;
  /**
   * Vectors joined into one array: those of texts requested together, such as the sentences of a document, as a shortcut to what `readSentenceVectors`
   * reads; and packed documents. Any list may be missing.
   */
  readVectorLists(encoder: string, keys: readonly string[]): Promise<Map<string, Float32Array>>;
  /** As `readVectorLists`, of what many digests read: in memory, if there is room. */
  readPacked(encoder: string, keys: readonly string[]): Promise<Map<string, Float32Array>>;
  saveVectorLists(
    encoder: string,
    lists: readonly { readonly key: string; readonly vectors: Float32Array }[],
  ): Promise<void>;
  readTokens(encoder: string, hashes: readonly string[]): Promise<Map<string, StoredTokens>>;
  saveEncodings(encoder: string, rows: readonly StoredEncoding[]): Promise<void>;
  readExtractions(keys: readonly ExtractionKey[]): Promise<StoredExtraction[]>;
  saveExtractions(rows: readonly StoredExtraction[]): Promise<void>;
  /** Announces the texts of the extractions that follow. */
  saveDocuments(texts: readonly StoredText[]): Promise<void>;
  /** Texts of documents that are stored, by hash. */
  readTexts(hashes: readonly string[]): Promise<Map<string, string>>;
  readJudgements(keys: readonly string[]): Promise<Map<string, string>>;
  saveJudgements(rows: readonly StoredJudgement[]): Promise<void>;
  deleteJudgements(which: { readonly kind: string; readonly keys: readonly string[] }): Promise<void>;
  /** Shares pending work beyond `source`, with other threads. */
  share?<T>(name: string, work: () => Promise<T>): Promise<T>;
  /** The same cache without eviction for one run; absent if entries are never evicted that soon. */
  forRun?(): WorkCache;
}

const MAX_BYTES = 256_000_000;

const ENTRY_BYTES = 200;

interface Entry {
  readonly value: unknown;
  readonly bytes: number;
}

export interface MemoryCache extends WorkCache {
  bytes(): number;
  forRun(): WorkCache;
}

/**
 * A least-recently-used cache, shared by the process. A run pins its entries and may exceed the bound while it lasts.
 * @param maxBytes estimated: vectors, two bytes per UTF-16 code unit, and a fixed overhead per entry
 * @throws RangeError unless the bound is a whole number from 0
 */
export function memoryCache(maxBytes: number = MAX_BYTES): MemoryCache {
  if (!Number.isSafeInteger(maxBytes) || maxBytes < 0) {
    throw new RangeError(`maxBytes is a whole number of bytes, not ${maxBytes}`);
  }
  const source = {};
  const entries = recentlyUsed<Entry>(maxBytes, ({ bytes }) => bytes);

  function view(pinned: Map<string, Entry> | null): WorkCache {
    const read = <Value>(key: string): Value | undefined => {
      const entry = entries.get(key) ?? pinned?.get(key);
      if (entry !== undefined) pinned?.set(key, entry);
      return entry?.value as Value | undefined;
    };
    const save = (key: string, value: unknown, bytes: number): void => {
      const known = entries.get(key);
      const entry = known ?? pinned?.get(key) ?? { value, bytes: bytes + ENTRY_BYTES + 2 * key.length };
      pinned?.set(key, entry);
      if (known === undefined) entries.keep(key, entry);
    };
    const readAll = <Value>(names: readonly string[], keys: readonly string[]): Map<string, Value> => {
      const found = new Map(keys.map((key) => [key, read<Value>(keyOf(...names, key))] as const));
      return new Map([...found].flatMap(([key, value]) => (value === undefined ? [] : [[key, value] as const])));
    };
    return {
      source,
      scope: '',
      async readSentenceVectors(encoder, hashes) {
        const found = readAll<StoredEncoding>(['encoding', encoder], hashes);
        return new Map(Array.from(found, ([hash, { sentence }]) => [hash, sentence]));
      },
      readVectorLists: async (encoder, keys) => readAll(['vectors', encoder], keys),
      readPacked: async (encoder, keys) => readAll(['vectors', encoder], keys),
      async saveVectorLists(encoder, rows) {
        for (const { key, vectors } of rows) save(keyOf('vectors', encoder, key), own(vectors), vectors.byteLength);
      },
      readTokens: async (encoder, hashes) => readAll(['encoding', encoder], hashes),
      async saveEncodings(encoder, rows) {
        for (const { textHash, ...vectors } of rows) {
          const [sentence, tokens, tokenIds] = [own(vectors.sentence), own(vectors.tokens), own(vectors.tokenIds)];
          const bytes = sentence.byteLength + tokens.byteLength + tokenIds.byteLength;
          save(keyOf('encoding', encoder, textHash), { textHash, sentence, tokens, tokenIds }, bytes);
        }
      },
      async readExtractions(keys) {
        return keys.flatMap(
          ({ extractor, documentHash }) => read<StoredExtraction>(keyOf('extraction', extractor, documentHash)) ?? [],
        );
      },
      async saveExtractions(rows) {
        for (const row of rows) {
          const bytes = 2 * (row.keyPoints.length + row.unverified.length);
          save(keyOf('extraction', row.extractor, row.documentHash), row, bytes);
        }
      },
      // Who has no store gives the texts.
      async saveDocuments() {},
      readTexts: async () => new Map(),
      async readJudgements(keys) {
        const found = readAll<StoredJudgement>(['judgement'], keys);
        return new Map(Array.from(found, ([key, { verdict }]) => [key, verdict]));
      },
      async saveJudgements(rows) {
        for (const row of rows) save(keyOf('judgement', row.key), row, 2 * row.verdict.length);
      },
      async deleteJudgements({ kind, keys }) {
        for (const key of keys.map((each) => keyOf('judgement', each))) {
          if (read<StoredJudgement>(key)?.kind !== kind) continue;
          pinned?.delete(key);
          entries.forget(key);
        }
      },
    };
  }

  return { ...view(null), bytes: entries.total, forRun: () => view(new Map()) };
}

function keyOf(...names: string[]): string {
  return JSON.stringify(names);
}

function own<Vector extends Float32Array | Int8Array | Int32Array>(vector: Vector): Vector {
  // `slice` returns the type it is called on.
  return vector.byteLength === vector.buffer.byteLength ? vector : (vector.slice() as Vector);
}
