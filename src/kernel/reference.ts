import type { Similarity } from './similarity.ts';

/** Up to this many items all means and sums run over all of them; beyond, over landmarks, so that cost stays linear. */
export const ALL_ITEMS_LIMIT = 1000;
export const LANDMARKS = 512;

/** Similarities of all items to the reference items that means, salience and coverage run over. */
export interface Reference {
  readonly n: number;
  /** Which items are references, ascending; all of them up to ALL_ITEMS_LIMIT. */
  readonly indices: readonly number[];
  /** Reference-major, indices.length x n. */
  readonly similarities: Float32Array;
  readonly landmarks: number | null;
}

/**
 * Reads S where the references are needed: the whole matrix, or the rows of LANDMARKS items with the smallest hashes.
 *
 * @param hashes content hash of each item; decides the landmarks, so that they do not depend on order
 */
export async function readReference(similarity: Similarity, hashes: readonly string[]): Promise<Reference> {
  const { n } = similarity;
  const everyone = Array.from({ length: n }, (_, i) => i);
  if (n <= ALL_ITEMS_LIMIT) {
    return { n, indices: everyone, similarities: await similarity.matrix(), landmarks: null };
  }
  const byHash = everyone.sort((a, b) => (hashes[a] < hashes[b] ? -1 : hashes[a] > hashes[b] ? 1 : a - b));
  const indices = byHash.slice(0, LANDMARKS).sort((a, b) => a - b);
  return { n, indices, similarities: await similarity.rows(indices), landmarks: LANDMARKS };
}

/** The same references of another similarity over the same items. */
export async function readRows(similarity: Similarity, reference: Reference): Promise<Reference> {
  const { indices, landmarks } = reference;
  const similarities = await (landmarks === null ? similarity.matrix() : similarity.rows(indices));
  return { ...reference, similarities };
}
