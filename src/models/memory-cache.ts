import type { StoredEncoding, StoredExtraction, StoredJudgement, StoredVectorList, WorkCache } from './cache.ts';

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
