import { chunks, contentHash, groups, nextTurn } from '../../text/index.ts';
import type { StoredEncoding, WorkCache } from '../cache.ts';
import type { Encoder, Encoding } from './encoder.ts';

type OnEncoded = (done: number, total: number) => void;

interface TextList {
  readonly texts: readonly string[];
  readonly mayBeKept: boolean;
}

/** Texts per call: about 50 ms of work, so that callers share the threads fairly. */
const BATCH = 32;
/** Smaller for local encoders while extraction needs the same cores. */
const BATCH_AHEAD = 8;
/** Smaller last batches, so that no thread waits long for another at the end. */
const LAST_BATCH = 4;
/** Max queued batches per caller; fewer while texts are still being found. */
const AT_ONCE = { ahead: 2, alone: 4 };
/** Max bytes read or written together, and of one list: a row of D1 holds 2 MB, and every write waits for the disk. */
const TOGETHER = 1_000_000;

/** Encodes missing texts (promise P9) and reads sentence vectors. `encodedTokens` reads the far larger token vectors. */
export function encodeTexts(encoder: Encoder, cache: WorkCache, texts: readonly string[], onProgress?: OnEncoded) {
  return textsUnderWay(encoder, cache).finish(texts, onProgress);
}

/** Encodes texts while others are still being found. */
export function textsUnderWay(encoder: Encoder, cache: WorkCache) {
  const { id, sentenceDimensions, tokenDimensions } = encoder.profile;
  // Without token vectors a list would be as large as the rows it stands for.
  const keepsLists = tokenDimensions > 0;
  // A call of an endpoint costs the same for any number of texts.
  const [ahead, least] = encoder.metered === undefined ? [BATCH_AHEAD, LAST_BATCH] : [BATCH, BATCH];
  const vectorBytes = Float32Array.BYTES_PER_ELEMENT * Math.max(1, sentenceDimensions);
  const maxLength = Math.max(1, Math.floor(TOGETHER / vectorBytes));
  const vectorOf = new Map<string, Float32Array>();
  const stored = new Set<string>();
  const sought = new Set<string>();
  let lists: TextList[] = [];
  let listed = 0;
  const unkept: (readonly string[])[] = [];
  const waiting: string[] = [];
  const tasks: Promise<void>[] = [];
  let unwritten: StoredEncoding[] = [];
  let unwrittenBytes = 0;
  let missing = 0;
  let done = 0;
  let running = 0;
  let isLookingUp = false;
  let isOpen = true;
  let isEnded = false;
  let onProgress: OnEncoded = () => {};
  let failure: { readonly reason: unknown } | null = null;

  /** Goes on beside the caller; the first failure ends everything. */
  function start(work: () => Promise<void>): void {
    const task = work().catch((reason: unknown) => {
      failure ??= { reason };
      isEnded = true;
    });
    tasks.push(task);
  }

  function goOn(): void {
    const [atOnce, fewest] = isOpen ? [AT_ONCE.ahead, ahead] : [AT_ONCE.alone, 1];
    if (!isEnded && !isLookingUp && listed >= fewest) {
      isLookingUp = true;
      start(lookUp);
    }
    while (!isEnded && running < atOnce && waiting.length >= fewest) {
      const share = Math.max(least, Math.ceil(waiting.length / (2 * AT_ONCE.alone)));
      const batch = waiting.splice(0, isOpen ? ahead : Math.min(BATCH, share));
      running++;
      start(() => encodeBatch(batch));
    }
  }

  async function lookUp(): Promise<void> {
    const asked = lists;
    lists = [];
    listed = 0;
    const others: string[] = [];
    for (const group of groups(asked, TOGETHER, ({ texts }) => vectorBytes * texts.length)) {
      if (isEnded) return;
      for (const text of await lookUpLists(group)) others.push(text);
      await nextTurn();
    }
    await seek(others);
    isLookingUp = false;
    goOn();
  }

  async function lookUpLists(asked: readonly TextList[]): Promise<string[]> {
    const keyOf = new Map(
      asked.flatMap(({ texts, mayBeKept }) => (mayBeKept ? [[texts, listKey(texts)] as const] : [])),
    );
    const kept =
      keyOf.size === 0 ? new Map<string, Float32Array>() : await cache.readVectorLists(id, [...keyOf.values()]);
    return asked.flatMap(({ texts }) => {
      const vectors = kept.get(keyOf.get(texts) ?? '');
      const width = (vectors?.length ?? 0) / texts.length;
      if (vectors === undefined || !Number.isInteger(width)) {
        if (keepsLists) unkept.push(texts);
        return texts;
      }
      texts.forEach((text, i) => {
        vectorOf.set(text, vectors.subarray(i * width, (i + 1) * width));
        stored.add(text);
      });
      return [];
    });
  }

  async function seek(texts: readonly string[]): Promise<void> {
    const asked = new Map<string, string>();
    for (const text of texts) if (!vectorOf.has(text) && !sought.has(text)) asked.set(contentHash(text), text);
    if (asked.size === 0) return;
    for (const text of asked.values()) sought.add(text);
    const known = await cache.readSentenceVectors(id, [...asked.keys()]);
    for (const [hash, text] of asked) {
      const vector = known.get(hash);
      if (vector === undefined) waiting.push(text);
      else {
        vectorOf.set(text, vector);
        stored.add(text);
      }
    }
    missing += asked.size - known.size;
    goOn();
  }

  async function encodeBatch(batch: readonly string[]): Promise<void> {
    const encodings = await encoder.encode(batch);
    batch.forEach((text, i) => {
      const { sentence, tokens } = encodings[i];
      vectorOf.set(text, sentence);
      unwritten.push({ textHash: contentHash(text), ...encodings[i] });
      unwrittenBytes += sentence.byteLength + tokens.byteLength;
    });
    if (unwrittenBytes >= TOGETHER || isEnded) await write();
    done += batch.length;
    running--;
    onProgress(done, missing);
    goOn();
  }

  async function write(): Promise<void> {
    const rows = unwritten;
    unwritten = [];
    unwrittenBytes = 0;
    if (rows.length > 0) await cache.saveEncodings(id, rows);
  }

  async function writeLists(): Promise<void> {
    const size = (texts: readonly string[]) => vectorBytes * texts.length;
    for (const group of groups(unkept, TOGETHER, size)) {
      const rows = group.flatMap((texts) => {
        const own = texts.map((text) => found(vectorOf, text));
        const width = own[0]?.length ?? 0;
        if (own.some(({ length }) => length !== width)) return [];
        const vectors = new Float32Array(width * texts.length);
        own.forEach((vector, i) => {
          vectors.set(vector, i * width);
        });
        return { key: listKey(texts), vectors };
      });
      await cache.saveVectorLists(id, rows);
    }
  }

  return {
    /** Adds texts and stores their vectors as one list. @param mayBeKept false skips the lookup of a list */
    add(texts: readonly string[], mayBeKept = true): void {
      for (const part of chunks(texts, maxLength)) lists.push({ texts: part, mayBeKept: keepsLists && mayBeKept });
      listed += texts.length;
      goOn();
    },
    /** Encodes the rest; nothing may be added afterwards. @param texts all added texts, and others */
    async finish(texts: readonly string[], notify: OnEncoded = () => {}) {
      isOpen = false;
      onProgress = notify;
      if (missing > 0 && done === missing) notify(done, missing);
      goOn();
      for (const task of tasks) await task; // tasks start others
      const others = texts.filter((text) => !vectorOf.has(text));
      if (!isEnded && others.length > 0) start(() => seek(others));
      for (const task of tasks) await task;
      isEnded = true;
      await write(); // what was encoded is not lost with what failed
      if (failure !== null) throw failure.reason;
      await writeLists();
      if (missing === 0) notify(texts.length, texts.length);
      return {
        sentences: texts.map((text) => found(vectorOf, text)),
        reused: texts.filter((text) => stored.has(text)).length,
      };
    },
    /** Starts no further call. Call it if `finish` will not be called. */
    stop(): void {
      isEnded = true;
      write().catch(() => {}); // it can be made again
    },
  };
}

function listKey(texts: readonly string[]): string {
  return contentHash(JSON.stringify(texts));
}

/** Token vectors of texts. Evicted ones are encoded again: lists of sentence vectors may outlast them. */
export async function encodedTokens(
  encoder: Encoder,
  cache: WorkCache,
  texts: readonly string[],
): Promise<Pick<Encoding, 'tokens' | 'tokenIds'>[]> {
  const { id } = encoder.profile;
  const hashes = texts.map((text) => contentHash(text));
  const tokens = await cache.readTokens(id, [...new Set(hashes)]);
  const gone = texts.filter((_, i) => !tokens.has(hashes[i]));
  if (gone.length > 0) {
    await encodeTexts(encoder, cache, gone);
    for (const [hash, again] of await cache.readTokens(
      id,
      gone.map((text) => contentHash(text)),
    ))
      tokens.set(hash, again);
  }
  return hashes.map((hash) => found(tokens, hash));
}

function found<T>(map: ReadonlyMap<string, T>, name: string): T {
  const value = map.get(name);
  if (value === undefined) throw new Error('a text has no encoding: it was removed while in use');
  return value;
}
