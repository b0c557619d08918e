import { clippedMass } from './kernel-dpp.ts';
import { symmetricEigen } from './symmetric-eigen.ts';

/**
 * V with V V^T = L_nm (L_mm)+ L_mn, the Nyström approximation from m landmarks (Williams & Seeger 2001), L_mm clipped: only
 * eigenvalues count that are larger than the largest negative one is deep, for what is smaller is noise of the same kind.
 *
 * @param rows the rows of the landmarks, row-major m x n
 * @param landmarks which items they are
 * @returns V, row-major n x rank, and the clipped share of the landmarks' own kernel
 */
export function nystromFactor(
  rows: Float64Array,
  landmarks: readonly number[],
  n: number,
): { readonly factor: Float64Array; readonly rank: number; readonly clippedMass: number } {
  const m = landmarks.length;
  const own = new Float64Array(m * m);
  for (let a = 0; a < m; a++) for (let b = 0; b < m; b++) own[a * m + b] = rows[a * n + landmarks[b]];
  const { values, vectors } = symmetricEigen(own, m);
  const largest = values.reduce((most, value) => Math.max(most, value), 0);
  const noise = values.reduce((most, value) => Math.max(most, -value), m * Number.EPSILON * largest);
  const kept = Array.from(values.keys()).filter((j) => values[j] > noise);
  const rank = kept.length;
  const weights = new Float64Array(m * rank); // U lambda^(-1/2)
  for (let a = 0; a < m; a++) {
    for (let c = 0; c < rank; c++) weights[a * rank + c] = vectors[a * m + kept[c]] / Math.sqrt(values[kept[c]]);
  }
  const factor = new Float64Array(n * rank);
  for (let i = 0; i < n; i++) {
    const out = factor.subarray(i * rank, (i + 1) * rank);
    for (let a = 0; a < m; a++) {
      const value = rows[a * n + i];
      const start = a * rank;
      for (let c = 0; c < rank; c++) out[c] += value * weights[start + c];
    }
  }
  return { factor, rank, clippedMass: clippedMass(values) };
}
