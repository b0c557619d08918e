import type { Reference } from './reference.ts';
import type { Similarity } from './similarity.ts';

/**
 * Rows of a similarity: those of the references as they are there, others computed once each.
 *
 * @param reference null where nothing is there yet
 */
export function rowsOnDemand(
  similarity: Similarity,
  reference: Reference | null,
): (i: number) => Promise<Float32Array> {
  const known = new Map<number, Promise<Float32Array>>();
  reference?.indices.forEach((index, r) => {
    const { n, similarities } = reference;
    known.set(index, Promise.resolve(similarities.subarray(r * n, (r + 1) * n)));
  });
  return (i) => {
    const row = known.get(i) ?? similarity.rows([i]);
    known.set(i, row);
    return row;
  };
}
