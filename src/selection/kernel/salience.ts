import { supports } from './agreement.ts';
import type { Reference } from './reference.ts';

/**
 * D_i: how many other documents hold a reference that supports point i.
 *
 * @param agreement reference-major, references x n
 * @param documents document number of each point
 * @param threshold agreement from which a point supports another
 */
export function salience(
  { n, indices }: Reference,
  agreement: Float32Array,
  documents: Int32Array,
  threshold: number,
): Float64Array {
  const counts = new Float64Array(n);
  const seen = new Int32Array(documents.reduce((most, d) => Math.max(most, d), -1) + 1).fill(-1);
  for (let i = 0; i < n; i++) {
    seen[documents[i]] = i;
    for (let r = 0; r < indices.length; r++) {
      const document = documents[indices[r]];
      if (seen[document] === i || !supports(agreement[r * n + i], threshold, n)) continue;
      seen[document] = i;
      counts[i]++;
    }
  }
  return counts;
}
