import { type Agreement, CENTRING_LEAST, NONE, PARAPHRASE } from './agreement.ts';
import { offDiagonalMoments, offDiagonalPercentile } from './off-diagonal.ts';
import type { Reference } from './reference.ts';

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
  /** The same selection, to be grown on its own. */
  copy(): CoverageState;
}

export interface Coverage {
  /** The threshold t that was used. */
  readonly threshold: number;
  /** The coverage of an empty selection. */
  start(): CoverageState;
}

/**
 * Coverage with W_ij = max(0, A_ij - t) where i and j come from different documents and may agree at all, 0 otherwise, and
 * W_jj = the largest W_ij of j. A is the agreement; paraphrases count with the largest W of the request. Under
 * CENTRING_LEAST points, S minus its mean off-diagonal value stands in for A.
 *
 * Cost: O(references x n) memory and time to build, O(references) per gain.
 *
 * @param agreement levels and masked values, reference-major
 * @param documents document number of each point
 */
export function coverage(
  reference: Reference,
  agreement: Pick<Agreement, 'levels' | 'values'>,
  documents: Int32Array,
  threshold: CoverageOptions['threshold'],
): Coverage {
  const { n, indices, similarities } = reference;
  const m = indices.length;
  const small = n < CENTRING_LEAST;
  const offset = small ? offDiagonalMoments(reference).mean : 0;
  const levels = small ? similarities.map((s) => s - offset) : agreement.levels;
  const t =
    typeof threshold === 'number'
      ? threshold
      : offDiagonalPercentile({ ...reference, similarities: levels }, threshold.percentile);

  const w = new Float32Array(n * m); // point-major, so that a gain reads one run
  let largest = 0;
  for (let r = 0; r < m; r++) {
    for (let i = 0; i < n; i++) {
      const value = agreement.values[r * n + i];
      if (value === NONE || (value === PARAPHRASE && !small) || documents[indices[r]] === documents[i]) continue;
      w[i * m + r] = Math.max(0, levels[r * n + i] - t);
      if (w[i * m + r] > largest) largest = w[i * m + r];
    }
  }
  const proof = largest === 0 ? 1 : largest; // paraphrases count even where nothing else does
  for (let r = 0; r < m; r++) {
    let own = 0;
    for (let i = 0; i < n; i++) {
      const isProof = !small && agreement.values[r * n + i] === PARAPHRASE && documents[indices[r]] !== documents[i];
      if (isProof) w[i * m + r] = proof;
      if (w[i * m + r] > own) own = w[i * m + r];
    }
    w[indices[r] * m + r] = own;
  }

  const gains = positive(w, n, m);
  const uncovered = new Float64Array(m);
  let best = 0;
  for (let i = 0; i < n; i++) best = Math.max(best, added(gains, i, uncovered));
  const scale = best === 0 ? 0 : 1 / best;
  return { threshold: t, start: () => coverageState(gains, scale, new Float64Array(m), 0) };
}

/** What points cover of the references, where it is more than nothing: of a percentile of 75 that is a quarter of W. */
interface Covering {
  /** Point i has the entries offsets[i] up to offsets[i + 1]. */
  readonly offsets: Int32Array;
  readonly references: Int32Array;
  readonly values: Float32Array;
}

function positive(w: Float32Array, n: number, m: number): Covering {
  const offsets = new Int32Array(n + 1);
  for (let i = 0; i < n; i++) {
    offsets[i + 1] = offsets[i];
    for (let at = i * m; at < (i + 1) * m; at++) if (w[at] > 0) offsets[i + 1]++;
  }
  const references = new Int32Array(offsets[n]);
  const values = new Float32Array(offsets[n]);
  for (let i = 0, at = 0; i < n; i++) {
    for (let r = 0; r < m; r++) {
      const value = w[i * m + r];
      if (value <= 0) continue;
      references[at] = r;
      values[at++] = value;
    }
  }
  return { offsets, references, values };
}

function coverageState(gains: Covering, scale: number, covered: Float64Array, before: number): CoverageState {
  let value = before;
  const gain = (i: number): number => scale * added(gains, i, covered);
  return {
    get value() {
      return value;
    },
    gain,
    add(i) {
      value += gain(i);
      const { offsets, references, values } = gains;
      for (let at = offsets[i]; at < offsets[i + 1]; at++) {
        covered[references[at]] = Math.max(covered[references[at]], values[at]);
      }
    },
    copy: () => coverageState(gains, scale, covered.slice(), value),
  };
}

/** sum_r max(0, W_ir - covered_r), unscaled. */
function added({ offsets, references, values }: Covering, i: number, covered: Float64Array): number {
  const end = offsets[i + 1];
  let sum = 0;
  for (let at = offsets[i]; at < end; at++) {
    const more = values[at] - covered[references[at]];
    if (more > 0) sum += more;
  }
  return sum;
}
