import pLimit from 'p-limit';
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

/** Texts in one call of an encoder: about 50 ms of work, so that callers share the threads fairly. */
const BATCH = 32;
/** Batches of one caller that wait for the threads at once, so that those of others come in between. */
const AT_ONCE = 4;

/**
 * Encodes what the store does not hold yet (promise P9), and reads the sentence vectors. Token vectors, which are far
 * larger, are read later by `encodedTokens`, for the texts that pass the gate.
 *
 * @param onProgress told how many texts are encoded, of all that have to be
 */
export async function encodeTexts(
  encoder: Encoder,
  cache: WorkCache,
  texts: readonly string[],
  onProgress: (done: number, total: number) => void = () => {},
): Promise<EncodedTexts> {
  const hashes = texts.map(contentHash);
  const known = await cache.readSentenceVectors(encoder.profile.id, [...new Set(hashes)]);
  const missing = new Map(texts.flatMap((text, i) => (known.has(hashes[i]) ? [] : [[hashes[i], text] as const])));
  const reused = hashes.filter((hash) => known.has(hash)).length;

  let done = 0;
  if (missing.size === 0) onProgress(hashes.length, hashes.length);
  const encodeBatch = async (batch: (readonly [string, string])[]): Promise<void> => {
    const encodings = await encoder.encode(batch.map(([, text]) => text));
    const rows: StoredEncoding[] = batch.map(([textHash], i) => ({ textHash, ...encodings[i] }));
    await cache.saveEncodings(encoder.profile.id, rows);
    for (const row of rows) known.set(row.textHash, row.sentence);
    done += batch.length;
    onProgress(done, missing.size);
  };
  const waiting = [...missing];
  const batches = Array.from({ length: Math.ceil(waiting.length / BATCH) }, (_, b) =>
    waiting.slice(b * BATCH, (b + 1) * BATCH),
  );
  const limit = pLimit(AT_ONCE);
  await Promise.all(batches.map((batch) => limit(encodeBatch, batch)));

  return { hashes, sentences: hashes.map((hash) => found(known, hash)), reused };
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
