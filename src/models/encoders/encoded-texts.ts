import { contentHash } from '../../text/index.ts';
import type { StoredEncoding, WorkCache } from '../cache.ts';
import type { Encoder, Encoding } from './encoder.ts';

/** Texts whose vectors are in the store. */
export interface EncodedTexts {
  /** Content hash of each text. */
  readonly hashes: readonly string[];
  /** Sentence vector of each text. */
  readonly sentences: readonly Float32Array[];
  /** How many of the texts had been encoded before. */
  readonly reused: number;
}

/** Told how many texts are encoded, of all that have to be. */
type OnEncoded = (done: number, total: number) => void;

/** Texts that are encoded while more are found. */
interface TextsUnderWay {
  /** Takes texts on, which are encoded as soon as there are enough for a call. */
  add(texts: readonly string[]): void;
  /**
   * Encodes what is left of these texts; nothing may be added any more.
   *
   * @param texts all that were added, and others
   */
  finish(texts: readonly string[], onProgress?: OnEncoded): Promise<EncodedTexts>;
  /** Begins no further call: for whoever will not finish. */
  stop(): void;
}

/** Texts in one call of an encoder: some 50 ms of work, so that callers share the threads fairly. */
const BATCH = 32;
/** Fewer in calls of an encoder on this machine while texts are still found, so that those who find them are not held up, */
const BATCH_AHEAD = 8;
/** and in the last, so that no thread waits long for another at the end. */
const LAST_BATCH = 4;
/** Batches of one caller that wait for the threads at once, so that those of others come in between; while texts are found fewer. */
const AT_ONCE = { ahead: 2, alone: 4 };
/** Bytes of vectors that are written together: every write waits for the disk. */
const WRITTEN = 1_000_000;

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
  const { id } = encoder.profile;
  // A call of an endpoint costs the same however little it carries.
  const [ahead, least] = encoder.metered === undefined ? [BATCH_AHEAD, LAST_BATCH] : [BATCH, BATCH];
  const hashOf = new Map<string, string>();
  const sentences = new Map<string, Float32Array>();
  /** Hashes of the texts that were encoded before. */
  const stored = new Set<string>();
  /** Texts by hash that were not looked up yet. */
  const fresh = new Map<string, string>();
  /** Those that are not there and were not begun. */
  const waiting: (readonly [hash: string, text: string])[] = [];
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

  function hashed(text: string): string {
    const hash = hashOf.get(text) ?? contentHash(text);
    hashOf.set(text, hash);
    return hash;
  }

  function take(texts: readonly string[]): void {
    for (const text of texts) if (!hashOf.has(text)) fresh.set(hashed(text), text);
  }

  function fail(reason: unknown): void {
    failure ??= { reason };
    isEnded = true;
    end?.();
  }

  /** Begins what can be begun now, and ends where nothing is left. */
  function goOn(): void {
    if (isEnded) return;
    if (!isLookingUp && fresh.size >= (isOpen ? ahead : 1)) {
      isLookingUp = true;
      void lookUp().catch(fail);
    }
    while (running < (isOpen ? AT_ONCE.ahead : AT_ONCE.alone) && waiting.length >= (isOpen ? ahead : 1)) {
      const share = Math.max(least, Math.ceil(waiting.length / (2 * AT_ONCE.alone)));
      running++;
      void encodeBatch(waiting.splice(0, isOpen ? ahead : Math.min(BATCH, share))).catch(fail);
    }
    if (!isOpen && !isLookingUp && running === 0) end?.();
  }

  async function lookUp(): Promise<void> {
    const asked = [...fresh];
    fresh.clear();
    const known = await cache.readSentenceVectors(
      id,
      asked.map(([hash]) => hash),
    );
    for (const [hash, sentence] of known) {
      sentences.set(hash, sentence);
      stored.add(hash);
    }
    waiting.push(...asked.filter(([hash]) => !known.has(hash)));
    missing += asked.length - known.size;
    isLookingUp = false;
    goOn();
  }

  async function encodeBatch(batch: readonly (readonly [string, string])[]): Promise<void> {
    const encodings = await encoder.encode(batch.map(([, text]) => text));
    batch.forEach(([textHash], i) => {
      const { sentence, tokens } = encodings[i];
      sentences.set(textHash, sentence);
      unwritten.push({ textHash, ...encodings[i] });
      unwrittenBytes += sentence.byteLength + tokens.byteLength;
    });
    if (unwrittenBytes >= WRITTEN || isEnded) await write();
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

  return {
    add(texts) {
      take(texts);
      goOn();
    },
    async finish(texts, notify = () => {}) {
      take(texts);
      isOpen = false;
      onProgress = notify;
      if (missing > 0 && done === missing) notify(done, missing);
      await new Promise<void>((resolve) => {
        end = resolve;
        if (failure === null) goOn();
        else resolve();
      });
      isEnded = true;
      await write(); // what was encoded is not lost with what failed
      if (failure !== null) throw failure.reason;
      const hashes = texts.map(hashed);
      if (missing === 0) notify(hashes.length, hashes.length);
      return {
        hashes,
        sentences: hashes.map((hash) => found(sentences, hash)),
        reused: hashes.filter((hash) => stored.has(hash)).length,
      };
    },
    stop() {
      isEnded = true;
      write().catch(() => {}); // it can be made again
    },
  };
}

/** Token vectors of texts that `encodeTexts` has encoded. */
export async function encodedTokens(
  encoder: Encoder,
  cache: WorkCache,
  hashes: readonly string[],
): Promise<Pick<Encoding, 'tokens' | 'tokenIds'>[]> {
  const tokens = await cache.readTokens(encoder.profile.id, [...new Set(hashes)]);
  return hashes.map((hash) => found(tokens, hash));
}

function found<T>(map: ReadonlyMap<string, T>, hash: string): T {
  const value = map.get(hash);
  if (value === undefined) throw new Error(`no encoding of text ${hash}: it was removed while in use`);
  return value;
}

/** Texts with all their vectors, from the store where they are there, into it where they are not. */
export async function encodeWhole(encoder: Encoder, cache: WorkCache, texts: readonly string[]): Promise<Encoding[]> {
  const { hashes, sentences } = await encodeTexts(encoder, cache, texts);
  const tokens = await encodedTokens(encoder, cache, hashes);
  return sentences.map((sentence, i) => ({ sentence, tokens: tokens[i].tokens, tokenIds: tokens[i].tokenIds }));
}
