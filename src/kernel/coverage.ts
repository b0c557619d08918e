import { type Centring, centred, meanOffDiagonal } from './centring.ts';
import type { Reference } from './reference.ts';

/** Below so many points centred similarities say little: rows of C sum to 0 whether anything repeats or not. */
export const CENTRING_LEAST = 20;

export interface CoverageOptions {
  readonly weight: number;
  readonly threshold: number | { readonly percentile: number };
}

/** How much a selection says of what the other documents say: cov(S) = sum_j max_{i in S} W_ij over the references j. */
export interface CoverageState {
  /** cov of the points added so far, in units of the largest cov of a single point. */
  readonly value: number;
  /** What point i would add to `value`. */
  gain(i: number): number;
  add(i: number): void;
}

export interface Coverage {
  /** The threshold t that was used. */
  readonly threshold: number;
  /** The coverage of an empty selection. */
  start(): CoverageState;
}

/**
 * Coverage with W_ij = max(0, C_ij - t) where i and j come from different documents, 0 where they come from the same, and
 * W_jj = the largest W_ij of j. Pairs at paraphrase level on S count with the largest W of the request. Under
 * CENTRING_LEAST points, S minus its mean off-diagonal value stands in for C.
 *
 * Cost: O(references x n) memory and time to build, O(references) per gain.
 *
 * @param documents document number of each point
 * @param paraphrase similarity from which S itself is proof
 */
export function coverage(
  reference: Reference,
  centre: Centring,
  documents: Int32Array,
  paraphrase: number,
  threshold: CoverageOptions['threshold'],
): Coverage {
  const { n, indices, similarities } = reference;
  const m = indices.length;
  const small = n < CENTRING_LEAST;
  const offset = small ? meanOffDiagonal(reference) : 0;
  const w = new Float32Array(n * m); // point-major, so that a gain reads one run
  for (let r = 0; r < m; r++) {
    for (let i = 0; i < n; i++) {
      const s = similarities[r * n + i];
      w[i * m + r] = small ? s - offset : centred(s, centre, indices[r], i);
    }
  }
  const t = typeof threshold === 'number' ? threshold : offDiagonalPercentile(w, reference, threshold.percentile);
  let largest = 0;
  for (let i = 0; i < n; i++) {
    for (let r = 0; r < m; r++) {
      const at = i * m + r;
      w[at] = documents[indices[r]] === documents[i] ? 0 : Math.max(0, w[at] - t);
      if (w[at] > largest) largest = w[at];
    }
  }
  const own = new Float32Array(m);
  for (let i = 0; i < n; i++) {
    for (let r = 0; r < m; r++) {
      const at = i * m + r;
      const proven = !small && documents[indices[r]] !== documents[i] && similarities[r * n + i] >= paraphrase;
      if (proven) w[at] = largest;
      if (w[at] > own[r]) own[r] = w[at];
    }
  }
  indices.forEach((index, r) => {
    w[index * m + r] = own[r];
  });

  const uncovered = new Float64Array(m);
  let best = 0;
  for (let i = 0; i < n; i++) best = Math.max(best, added(w, m, i, uncovered));
  const scale = best === 0 ? 0 : 1 / best;
  return { threshold: t, start: () => startCoverage(w, m, scale) };
}

function startCoverage(w: Float32Array, m: number, scale: number): CoverageState {
  const covered = new Float64Array(m);
  let value = 0;
  const gain = (i: number): number => scale * added(w, m, i, covered);
  return {
    get value() {
      return value;
    },
    gain,
    add(i) {
      value += gain(i);
      for (let r = 0; r < m; r++) covered[r] = Math.max(covered[r], w[i * m + r]);
    },
  };
}

/** sum_r max(0, W_ir - covered_r), unscaled. */
function added(w: Float32Array, m: number, i: number, covered: Float64Array): number {
  let sum = 0;
  for (let r = 0, at = i * m; r < m; r++, at++) {
    const more = w[at] - covered[r];
    if (more > 0) sum += more;
  }
  return sum;
}

/** A percentile (0 to 100) of the values between different items (point-major), by the nearest rank. */
function offDiagonalPercentile(values: Float32Array, { n, indices }: Reference, percentile: number): number {
  const apart = new Float32Array(indices.length * Math.max(0, n - 1));
  let at = 0;
  indices.forEach((index, r) => {
    for (let i = 0; i < n; i++) if (i !== index) apart[at++] = values[i * indices.length + r];
  });
  if (apart.length === 0) return 0;
  apart.sort();
  return apart[Math.min(apart.length - 1, Math.max(0, Math.ceil((percentile / 100) * apart.length) - 1))];
}
