import type { Reference } from '../kernel/reference.ts';
import type { Similarity } from '../kernel/similarity.ts';

/** Rows of S: views of the matrix where the references are everyone, else computed once each. */
export function rowsOnDemand(similarity: Similarity, reference: Reference): (i: number) => Promise<Float32Array> {
  const { n, similarities, landmarks } = reference;
  if (landmarks === null) return async (i) => similarities.subarray(i * n, (i + 1) * n);
  const known = new Map<number, Promise<Float32Array>>();
  return (i) => {
    const row = known.get(i) ?? similarity.rows([i]);
    known.set(i, row);
    return row;
  };
}
