import { chunks, contentHash, groups, nextTurn } from '../../text/index.ts';
import type { StoredEncoding, WorkCache } from '../cache.ts';
import type { Encoder, Encoding } from './encoder.ts';

/** Texts whose vectors are in the store. */
interface EncodedTexts {
  /** Sentence vector of each text. */
  readonly sentences: readonly Float32Array[];
  /** How many of the texts had been encoded before. */
  readonly reused: number;
}

/** Told how many texts are encoded, of all that have to be. */
type OnEncoded = (done: number, total: number) => void;

/** Texts that are encoded while more are found. */
interface TextsUnderWay {
  /**
   * Takes texts on, which are encoded as soon as there are enough for a call. Their vectors are kept as a list beside: where the same
   * texts come together again, as those of a document do, they are read as one; not of encoders without token vectors.
   *
   * @param mayBeKept false where they never came together before, so that their list need not be looked for
   */
  add(texts: readonly string[], mayBeKept?: boolean): void;
  /**
   * Encodes what is left of these texts; nothing may be added any more.
   *
   * @param texts all that were added, and others
   */
  finish(texts: readonly string[], onProgress?: OnEncoded): Promise<EncodedTexts>;
  /** Begins no further call: for whoever will not finish. */
  stop(): void;
}

/** Texts that came together. */
interface TextList {
  readonly texts: readonly string[];
  readonly mayBeKept: boolean;
}

/** Texts in one call of an encoder: some 50 ms of work, so that callers share the threads fairly. */
const BATCH = 32;
/** Fewer in calls of an encoder on this machine while texts are still found, so that those who find them are not held up, */
const BATCH_AHEAD = 8;
/** and in the last, so that no thread waits long for another at the end. */
const LAST_BATCH = 4;
/** Batches of one caller that wait for the threads at once, so that those of others come in between; while texts are found fewer. */
const AT_ONCE = { ahead: 2, alone: 4 };
/** Bytes of vectors that are read or written together, and of the longest list: a row of D1 holds 2 MB, and every write waits for the disk. */
const TOGETHER = 1_000_000;

/**
 * Encodes what the store does not hold yet (promise P9), and reads the sentence vectors. Token vectors, which are far
 * larger, are read later by `encodedTokens`, for the texts that pass the gate.
 */
export function encodeTexts(
  encoder: Encoder,
  cache: WorkCache,
  texts: readonly string[],
  onProgress?: OnEncoded,
): Promise<EncodedTexts> {
  return textsUnderWay(encoder, cache).finish(texts, onProgress);
}

/** Begins to encode texts that are not all known yet, as `encodeTexts` does. */
export function textsUnderWay(encoder: Encoder, cache: WorkCache): TextsUnderWay {
  const { id, sentenceDimensions, tokenDimensions } = encoder.profile;
  // Without token vectors a list would hold as much as the rows beside it, and be read no sooner.
  const keepsLists = tokenDimensions > 0;
  // A call of an endpoint costs the same however little it carries.
  const [ahead, least] = encoder.metered === undefined ? [BATCH_AHEAD, LAST_BATCH] : [BATCH, BATCH];
  const vectorBytes = Float32Array.BYTES_PER_ELEMENT * Math.max(1, sentenceDimensions);
  const maxLength = Math.max(1, Math.floor(TOGETHER / vectorBytes));
  const vectorOf = new Map<string, Float32Array>();
  /** Texts that were encoded before. */
  const stored = new Set<string>();
  /** Texts that were looked up one by one. */
  const sought = new Set<string>();
  /** Lists that were not looked up yet, */
  let lists: TextList[] = [];
  /** how many texts they hold, */
  let listed = 0;
  /** and those that were not there. */
  const unkept: (readonly string[])[] = [];
  /** Texts that are not there and were not begun. */
  const waiting: string[] = [];
  let unwritten: StoredEncoding[] = [];
  let unwrittenBytes = 0;
  let missing = 0;
  let done = 0;
  let running = 0;
  let isLookingUp = false;
  let isOpen = true;
  let isEnded = false;
  let onProgress: OnEncoded = () => {};
  let end: (() => void) | null = null;
  let failure: { readonly reason: unknown } | null = null;

  function fail(reason: unknown): void {
    failure ??= { reason };
    isEnded = true;
    end?.();
  }

  /** Begins what can be begun now, and ends where nothing is left. */
  function goOn(): void {
    if (isEnded) return;
    if (!isLookingUp && listed >= (isOpen ? ahead : 1)) {
      isLookingUp = true;
      const asked = lists;
      lists = [];
      listed = 0;
      void lookUp(asked).catch(fail);
    }
    while (running < (isOpen ? AT_ONCE.ahead : AT_ONCE.alone) && waiting.length >= (isOpen ? ahead : 1)) {
      const share = Math.max(least, Math.ceil(waiting.length / (2 * AT_ONCE.alone)));
      running++;
      void encodeBatch(waiting.splice(0, isOpen ? ahead : Math.min(BATCH, share))).catch(fail);
    }
    if (!isOpen && !isLookingUp && running === 0) end?.();
  }

  /** Waits until nothing is left of what was taken on and of what this begins. */
  function drained(begin: () => void): Promise<void> {
    return new Promise((resolve) => {
      end = resolve;
      if (isEnded) resolve();
      else begin();
    });
  }

  async function lookUp(asked: readonly TextList[]): Promise<void> {
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

  /** @returns texts of lists that are not there */
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

  /** Looks texts up one by one, and has those encoded that are not there. */
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
    add(texts, mayBeKept = true) {
      for (const part of chunks(texts, maxLength)) lists.push({ texts: part, mayBeKept: keepsLists && mayBeKept });
      listed += texts.length;
      goOn();
    },
    async finish(texts, notify = () => {}) {
      isOpen = false;
      onProgress = notify;
      if (missing > 0 && done === missing) notify(done, missing);
      await drained(goOn);
      const others = texts.filter((text) => !vectorOf.has(text));
      if (others.length > 0) await drained(() => void seek(others).catch(fail));
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
    stop() {
      isEnded = true;
      write().catch(() => {}); // it can be made again
    },
  };
}

function listKey(texts: readonly string[]): string {
  return contentHash(JSON.stringify(texts));
}

/** Token vectors of texts. Those that are no longer there are encoded again: sentence vectors in lists may outlast them. */
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

/** Texts with all their vectors, from the store where they are there, into it where they are not. */
export async function encodeWhole(encoder: Encoder, cache: WorkCache, texts: readonly string[]): Promise<Encoding[]> {
  const { sentences } = await encodeTexts(encoder, cache, texts);
  const tokens = await encodedTokens(encoder, cache, texts);
  return sentences.map((sentence, i) => ({ sentence, tokens: tokens[i].tokens, tokenIds: tokens[i].tokenIds }));
}
