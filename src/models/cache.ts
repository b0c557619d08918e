/** Vectors of one text by one encoder. */
export interface StoredEncoding extends StoredTokens {
  readonly sentence: Float32Array;
}

/** Token vectors of one text, row by row, with the id of each token. */
export interface StoredTokens {
  /** Content hash of the text. */
  readonly textHash: string;
  readonly tokens: Int8Array;
  readonly tokenIds: Int32Array;
}

/** Sentence vectors of texts that are asked for together, as those of a document: they are read as one. */
export interface StoredVectorList {
  /** Names the texts, in their order. */
  readonly key: string;
  /** End to end. */
  readonly vectors: Float32Array;
}

/** Which extraction: of which text, made how. */
export interface ExtractionKey {
  readonly documentHash: string;
  /** Names everything that the result depends on beside the text. */
  readonly extractor: string;
}

/** What was extracted from one text. */
export interface StoredExtraction extends ExtractionKey {
  /** ISO 639-3 code, or `und`. */
  readonly language: string;
  readonly words: number;
  /** JSON array of key points. */
  readonly keyPoints: string;
  /** JSON array of key points whose quotes the text does not hold. */
  readonly unverified: string;
}

export interface StoredJudgement {
  /** Names everything that the verdict depends on. */
  readonly key: string;
  /** What was judged. */
  readonly kind: string;
  /** JSON. */
  readonly verdict: string;
}

export interface StoredText {
  /** Content hash of `text`. */
  readonly hash: string;
  readonly text: string;
}

/**
 * Where digests and evaluations keep what can be made again: encodings, extractions and judgements, by everything that they
 * depend on. What is there already stays as it is when it is saved again; what is missing is absent from what a reader returns.
 * Whatever a method throws ends the digest or the evaluation.
 */
export interface WorkCache {
  /** What the entries are kept in. Caches with the same `source` and `scope` hold the same entries, and share work under way. */
  readonly source: object;
  /** Whose entries they are. */
  readonly scope: string;
  /** Sentence vectors by hash of the text. */
  readSentenceVectors(encoder: string, hashes: readonly string[]): Promise<Map<string, Float32Array>>;
  /** Lists of sentence vectors by key: a shortcut to what `readSentenceVectors` reads, so that any may be absent. */
  readVectorLists(encoder: string, keys: readonly string[]): Promise<Map<string, Float32Array>>;
  saveVectorLists(encoder: string, rows: readonly StoredVectorList[]): Promise<void>;
  /** Token vectors by hash of the text. */
  readTokens(encoder: string, hashes: readonly string[]): Promise<Map<string, StoredTokens>>;
  saveEncodings(encoder: string, rows: readonly StoredEncoding[]): Promise<void>;
  readExtractions(keys: readonly ExtractionKey[]): Promise<StoredExtraction[]>;
  saveExtractions(rows: readonly StoredExtraction[]): Promise<void>;
  /** Told of the texts that extractions are about to be kept for. Nothing reads them back through the cache. */
  saveDocuments(texts: readonly StoredText[]): Promise<void>;
  /** Verdicts by key. */
  readJudgements(keys: readonly string[]): Promise<Map<string, string>>;
  saveJudgements(rows: readonly StoredJudgement[]): Promise<void>;
  deleteJudgements(which: { readonly kind: string; readonly keys: readonly string[] }): Promise<void>;
  /** The same cache for one run, within which nothing that was read or saved goes away; absent where nothing is ever evicted so soon. */
  forRun?(): WorkCache;
}

/** Bytes that a cache in memory holds where nobody says how many. */
const MAX_BYTES = 256_000_000;

/** Bytes of an entry beside what it holds: its place in the map, its objects. */
const ENTRY_BYTES = 200;

interface Entry {
  readonly value: unknown;
  readonly bytes: number;
}

export interface MemoryCache extends WorkCache {
  /** Bytes of all entries, about: vectors as they are, two bytes a UTF-16 code unit, and 200 for each entry. */
  bytes(): number;
  forRun(): WorkCache;
}

/**
 * A cache in memory, for one process and everybody in it. Beyond its bound the least recently used entries go; what is larger than
 * the bound alone is not kept. A run holds on to what it has read and saved, so that it may need more than the bound while it lasts.
 *
 * @param maxBytes 256 MB by default
 * @throws RangeError where the bound is no whole number of bytes
 */
export function memoryCache(maxBytes: number = MAX_BYTES): MemoryCache {
  if (!Number.isSafeInteger(maxBytes) || maxBytes < 0) {
    throw new RangeError(`maxBytes is a whole number of bytes, not ${maxBytes}`);
  }
  const source = {};
  /** The least recently used first. */
  const entries = new Map<string, Entry>();
  let total = 0;

  function remove(key: string): void {
    total -= entries.get(key)?.bytes ?? 0;
    entries.delete(key);
  }

  function keep(key: string, entry: Entry): void {
    if (entries.has(key) || entry.bytes > maxBytes) return;
    entries.set(key, entry);
    total += entry.bytes;
    for (const oldest of entries.keys()) {
      if (total <= maxBytes) return;
      remove(oldest);
    }
  }

  function used(key: string): Entry | undefined {
    const entry = entries.get(key);
    if (entry === undefined) return undefined;
    entries.delete(key);
    entries.set(key, entry);
    return entry;
  }

  /** @param pinned what a run holds on to; null for none */
  function view(pinned: Map<string, Entry> | null): WorkCache {
    const read = <Value>(key: string): Value | undefined => {
      const entry = used(key) ?? pinned?.get(key);
      if (entry !== undefined) pinned?.set(key, entry);
      // The key names the kind of value.
      return entry?.value as Value | undefined;
    };
    const save = (key: string, value: unknown, bytes: number): void => {
      const entry = used(key) ?? pinned?.get(key) ?? { value, bytes: bytes + ENTRY_BYTES + 2 * key.length };
      pinned?.set(key, entry);
      keep(key, entry);
    };
    const readAll = <Value>(keys: readonly string[], keyOf: (key: string) => string): Map<string, Value> =>
      new Map(
        keys.flatMap((key) => {
          const value = read<Value>(keyOf(key));
          return value === undefined ? [] : [[key, value] as const];
        }),
      );
    return {
      source,
      scope: '',
      async readSentenceVectors(encoder, hashes) {
        const found = readAll<StoredEncoding>(hashes, (hash) => keyOf('encoding', encoder, hash));
        return new Map(Array.from(found, ([hash, { sentence }]) => [hash, sentence]));
      },
      async readVectorLists(encoder, keys) {
        const found = readAll<StoredVectorList>(keys, (key) => keyOf('vectors', encoder, key));
        return new Map(Array.from(found, ([key, { vectors }]) => [key, vectors]));
      },
      async saveVectorLists(encoder, rows) {
        for (const { key, vectors } of rows) {
          const row = { key, vectors: own(vectors) };
          save(keyOf('vectors', encoder, key), row, row.vectors.byteLength);
        }
      },
      async readTokens(encoder, hashes) {
        return readAll<StoredEncoding>(hashes, (hash) => keyOf('encoding', encoder, hash));
      },
      async saveEncodings(encoder, rows) {
        for (const { textHash, ...vectors } of rows) {
          const row = {
            textHash,
            sentence: own(vectors.sentence),
            tokens: own(vectors.tokens),
            tokenIds: own(vectors.tokenIds),
          };
          const bytes = row.sentence.byteLength + row.tokens.byteLength + row.tokenIds.byteLength;
          save(keyOf('encoding', encoder, textHash), row, bytes);
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
      async saveDocuments() {}, // nothing reads them back
      async readJudgements(keys) {
        const found = readAll<StoredJudgement>(keys, (key) => keyOf('judgement', key));
        return new Map(Array.from(found, ([key, { verdict }]) => [key, verdict]));
      },
      async saveJudgements(rows) {
        for (const row of rows) save(keyOf('judgement', row.key), row, 2 * row.verdict.length);
      },
      async deleteJudgements({ kind, keys }) {
        for (const key of keys.map((each) => keyOf('judgement', each))) {
          if (read<StoredJudgement>(key)?.kind !== kind) continue;
          pinned?.delete(key);
          remove(key);
        }
      },
    };
  }

  return { ...view(null), bytes: () => total, forRun: () => view(new Map()) };
}

function keyOf(...names: string[]): string {
  return JSON.stringify(names);
}

/** A vector that keeps no larger buffer in memory. */
function own<Vector extends Float32Array | Int8Array | Int32Array>(vector: Vector): Vector {
  // `slice` gives the type that it is called on.
  return vector.byteLength === vector.buffer.byteLength ? vector : (vector.slice() as Vector);
}
