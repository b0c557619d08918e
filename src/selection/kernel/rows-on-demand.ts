import { type Memory, NO_MEMORY } from './memory.ts';
import type { Reference } from './reference.ts';
import type { Similarity } from './similarity.ts';

/** Bytes of a number in single precision. */
export const FLOAT = Float32Array.BYTES_PER_ELEMENT;

/**
 * Rows of a similarity: those of the references as they are there, others computed once each, one by one, so that no value
 * depends on what else is read.
 *
 * @param reference null where nothing is there yet
 * @param memory where rows are kept
 * @param name tells them from those of other similarities there
 */
export function rowsOnDemand(
  similarity: Similarity,
  reference: Reference | null,
  memory: Memory = NO_MEMORY,
  name = 'row',
): (i: number) => Promise<Float32Array> {
  const known = new Map<number, Promise<Float32Array>>();
  reference?.indices.forEach((index, r) => {
    const { n, similarities } = reference;
    known.set(index, Promise.resolve(similarities.subarray(r * n, (r + 1) * n)));
  });
  return (i) => {
    const { n } = similarity;
    const row = known.get(i) ?? memory.keep(`${name} ${i}`, '', n * FLOAT, () => similarity.rows([i]));
    known.set(i, row);
    return row;
  };
}
