import { type Centring, centred } from './centring.ts';
import { CENTRING_LEAST } from './coverage.ts';
import type { Reference } from './reference.ts';

/**
 * D_i: how many other documents hold a point that says what point i says (C_ij at the threshold, or S_ij at paraphrase
 * level; under CENTRING_LEAST points only the latter).
 *
 * @param documents document number of each point
 */
export function salience(
  { n, indices, similarities }: Reference,
  centre: Centring,
  documents: Int32Array,
  threshold: number,
  paraphrase: number,
): Float64Array {
  const counts = new Float64Array(n);
  const seen = new Int32Array(documents.reduce((most, d) => Math.max(most, d), -1) + 1).fill(-1);
  for (let i = 0; i < n; i++) {
    seen[documents[i]] = i;
    for (let r = 0; r < indices.length; r++) {
      const j = indices[r];
      if (seen[documents[j]] === i) continue;
      const s = similarities[r * n + i];
      if (s >= paraphrase || (n >= CENTRING_LEAST && centred(s, centre, j, i) >= threshold)) {
        seen[documents[j]] = i;
        counts[i]++;
      }
    }
  }
  return counts;
}
