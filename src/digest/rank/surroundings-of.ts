import { type Encoder, encodeTexts, type RelevanceScorer } from '../../models/index.ts';
import { contextVectors } from '../../selection/index.ts';
import type { DigestDeps } from '../digest-deps.ts';
import type { GivenItems } from '../select/given-items.ts';
import type { Ranking } from './ranking-task.ts';

/** What stands around items. */
interface Surroundings {
  /** How far it counts, in [0, 1]. */
  readonly share: number;
  /** Id of the encoder of its vectors; null where it does not count. */
  readonly encoder: string | null;
  /** Unit vectors of all items; null where it does not count. */
  vectors(): Promise<readonly Float32Array[] | null>;
}

const NONE: Surroundings = { share: 0, encoder: null, vectors: async () => null };

/** As the ranking of an intent found it. */
export function rankedSurroundings({ surroundings, context }: Ranking, { profile }: RelevanceScorer): Surroundings {
  if (context === null) return NONE;
  return { share: surroundings, encoder: profile.id, vectors: async () => context };
}

/**
 * As a digest found it: around its points in its own order, document after document, those of its gate included.
 *
 * @param share how far it counts, as the digest resolved it
 * @param encoder of the kernel, where that of the digest's relevance is not here
 */
export function storedSurroundings(
  { stored, documents }: GivenItems,
  texts: readonly string[],
  share: number,
  encoder: Encoder | null,
  { engine, cache }: DigestDeps,
): Surroundings {
  if (stored === null || encoder === null || share === 0) return NONE;
  const same = [...engine.encoders.values()].find(({ profile }) => profile.id === stored.contextEncoder) ?? encoder;
  return {
    share,
    encoder: same.profile.id,
    vectors: async () => contextVectors((await encodeTexts(same, cache, texts)).sentences, documents),
  };
}
