import { encodedTokens } from '../encoders/encoded-texts.ts';
import type { Encoder } from '../encoders/encoder.ts';
import type { SelectionOptions } from '../selection/options.ts';
import type { DigestParts } from './digest-parts.ts';
import { NO_TOKENS } from './select-points.ts';
import type { EncodedStatement } from './selection-task.ts';

export interface Candidates {
  /** Indices of the points. */
  readonly items: readonly number[];
  readonly hashes: readonly string[];
  readonly vectors: readonly Float32Array[];
}

/**
 * The points that say what the reader knows already: they are not told again, however relevant (figures: docs/quality.md).
 * What merely resembles it is weighed down by the quality (`background.weight`); a weight of 0 leaves everything in.
 */
export async function familiarPoints(
  { items, hashes, vectors }: Candidates,
  background: readonly EncodedStatement[],
  encoder: Encoder,
  { kernel, background: { weight } }: SelectionOptions,
  { database, engine }: DigestParts,
): Promise<ReadonlySet<number>> {
  if (background.length === 0 || weight === 0 || items.length === 0) return new Set();
  const tokens = kernel.similarity === 'cosine' ? null : await encodedTokens(encoder, database, hashes);
  const known = await engine.familiarity({
    statements: vectors.map((sentence, i) => ({ ...(tokens?.[i] ?? NO_TOKENS), sentence })),
    background,
    similarity: kernel.similarity,
    idf: kernel.idf,
  });
  const { same, familiar } = encoder.profile.calibration;
  const level = kernel.similarity === 'cosine' ? same : familiar;
  return new Set(items.filter((_, i) => known[i] >= level));
}
