import { type Encoder, encodedTokens, type WorkCache } from '../../models/index.ts';
import type { SelectionOptions } from '../../selection/index.ts';
import type { Engine } from '../engine.ts';
import { encodedText } from '../extract/points.ts';
import type { Query } from '../rank/query.ts';
import type { DigestDeps } from '../run.ts';
import type { EncodedStatement } from './selection-task.ts';

const NO_TOKENS = { tokens: new Int8Array(0), tokenIds: new Int32Array(0) };

/** Encoded texts for the kernel; reads token vectors only for `bertscore`. `vectors` has one sentence vector per text. */
export async function encodedStatements(
  texts: readonly string[],
  vectors: readonly Float32Array[],
  similarity: SelectionOptions['kernel']['similarity'],
  encoder: Encoder,
  cache: WorkCache,
): Promise<EncodedStatement[]> {
  const tokens = similarity === 'cosine' ? null : await encodedTokens(encoder, cache, texts);
  // A view would transfer its whole buffer to another thread.
  return vectors.map((vector, i) => ({ ...(tokens?.[i] ?? NO_TOKENS), sentence: vector.slice() }));
}

/** Encodes the background and the earlier digest. Not cached, since they are private to the reader. */
export async function backgroundStatements(
  { background, earlier }: Pick<Query, 'background' | 'earlier'>,
  encoder: Encoder,
  engine: Engine,
): Promise<EncodedStatement[]> {
  const own = background === null ? [] : (await engine.extract(background)).keyPoints;
  const known = [...own, ...(earlier?.points ?? [])];
  return known.length === 0 ? [] : encoder.encode(known.map(encodedText));
}

/** Indices of the texts that the reader already knows (docs/decisions/background.md); empty for a background weight of 0. */
export async function knownTexts(
  texts: readonly string[],
  vectors: readonly Float32Array[],
  background: readonly EncodedStatement[],
  encoder: Encoder,
  { kernel, background: { weight } }: SelectionOptions,
  { cache, engine }: Pick<DigestDeps, 'cache' | 'engine'>,
): Promise<ReadonlySet<number>> {
  if (background.length === 0 || weight === 0 || texts.length === 0) return new Set();
  const known = await engine.knownSimilarity({
    statements: await encodedStatements(texts, vectors, kernel.similarity, encoder, cache),
    background,
    similarity: kernel.similarity,
    idf: kernel.idf,
  });
  const { same, familiar } = encoder.profile.calibration;
  const level = kernel.similarity === 'cosine' ? same : familiar;
  return new Set([...texts.keys()].filter((i) => known[i] >= level));
}
