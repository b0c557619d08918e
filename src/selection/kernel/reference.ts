import type { Similarity } from './similarity.ts';

/** Up to this many items all means and sums run over all of them; beyond, over landmarks, so that cost stays linear. */
export const ALL_ITEMS_LIMIT = 1000;
export const LANDMARKS = 512;
/** Items up to which there are so many; of more, landmarks times items stay as many, but no fewer than the least. */
const MANY_ITEMS = 4096;
const LEAST_LANDMARKS = 128;

/** How many items the means and sums over n items run over, where they are more than ALL_ITEMS_LIMIT. */
export function landmarksAmong(n: number): number {
  const most = Math.floor((LANDMARKS * MANY_ITEMS) / Math.max(1, n));
  return Math.min(LANDMARKS, Math.max(LEAST_LANDMARKS, most));
}

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
 * Reads S where the references are needed: the whole matrix, or the rows of the `landmarksAmong` items with the smallest hashes.
 *
 * @param hashes content hash of each item; decides the landmarks, so that they do not depend on order
 */
export async function readReference(similarity: Similarity, hashes: readonly string[]): Promise<Reference> {
  const { n } = similarity;
  if (n <= ALL_ITEMS_LIMIT) return readEverything(similarity);
  const indices = landmarksOf(hashes, landmarksAmong(n));
  return { n, indices, similarities: await similarity.rows(indices), landmarks: indices.length };
}

/** The whole of S as a reference, however many items there are. */
export async function readEverything(similarity: Similarity): Promise<Reference> {
  const { n } = similarity;
  const indices = Array.from({ length: n }, (_, i) => i);
  return { n, indices, similarities: await similarity.matrix(), landmarks: null };
}

/** The reference that `readReference` would read, out of the whole of S. */
export function referenceWithin(whole: Reference, hashes: readonly string[]): Reference {
  const { n, similarities } = whole;
  if (n <= ALL_ITEMS_LIMIT) return whole;
  const indices = landmarksOf(hashes, landmarksAmong(n));
  const chosen = new Float32Array(indices.length * n);
  indices.forEach((index, r) => {
    chosen.set(similarities.subarray(index * n, (index + 1) * n), r * n);
  });
  return { n, indices, similarities: chosen, landmarks: indices.length };
}

/** The items with the smallest hashes, ascending. */
export function landmarksOf(hashes: readonly string[], count: number = LANDMARKS): number[] {
  return Array.from(hashes.keys())
    .sort((a, b) => (hashes[a] < hashes[b] ? -1 : hashes[a] > hashes[b] ? 1 : a - b))
    .slice(0, count)
    .sort((a, b) => a - b);
}

/** The same references of another similarity over the same items. */
export async function readRows(similarity: Similarity, reference: Reference): Promise<Reference> {
  const { indices, landmarks } = reference;
  const similarities = await (landmarks === null ? similarity.matrix() : similarity.rows(indices));
  return { ...reference, similarities };
}
