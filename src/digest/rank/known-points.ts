import type { Encoder } from '../../models/index.ts';
import type { SelectionOptions } from '../../selection/index.ts';
import type { DigestDeps } from '../digest-deps.ts';
import { encodedStatements } from '../select/encoded-statements.ts';
import type { EncodedStatement } from '../select/selection-task.ts';

interface Candidates {
  /** Indices of the points. */
  readonly items: readonly number[];
  readonly texts: readonly string[];
  readonly vectors: readonly Float32Array[];
}

/**
 * The points that say what the reader knows already: they are not told again, however relevant (figures: docs/decisions/background.md).
 * What merely resembles it is weighed down by the quality (`background.weight`); a weight of 0 leaves everything in.
 */
export async function knownPoints(
  { items, texts, vectors }: Candidates,
  background: readonly EncodedStatement[],
  encoder: Encoder,
  { kernel, background: { weight } }: SelectionOptions,
  { cache, engine }: DigestDeps,
): Promise<ReadonlySet<number>> {
  if (background.length === 0 || weight === 0 || items.length === 0) return new Set();
  const known = await engine.knownSimilarity({
    statements: await encodedStatements({ texts, sentences: vectors }, kernel.similarity, encoder, cache),
    background,
    similarity: kernel.similarity,
    idf: kernel.idf,
  });
  const { same, familiar } = encoder.profile.calibration;
  const level = kernel.similarity === 'cosine' ? same : familiar;
  return new Set(items.filter((_, i) => known[i] >= level));
}
