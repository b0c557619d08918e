import type { Reference } from '../kernel/reference.ts';
import type { Similarity } from '../kernel/similarity.ts';

/** Rows of a similarity: those of the references as they are there, others computed once each. */
export function rowsOnDemand(similarity: Similarity, reference: Reference): (i: number) => Promise<Float32Array> {
  const { n, indices, similarities } = reference;
  const known = new Map(
    indices.map((index, r) => [index, Promise.resolve(similarities.subarray(r * n, (r + 1) * n))] as const),
  );
  return (i) => {
    const row = known.get(i) ?? similarity.rows([i]);
    known.set(i, row);
    return row;
  };
}
