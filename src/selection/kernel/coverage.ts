import type { Bonus } from '../dpp/exact-map.ts';
import { type Agreement, CENTRING_LEAST, NONE, PARAPHRASE } from './agreement.ts';
import { offDiagonalMoments, offDiagonalPercentile, type Reference } from './reference.ts';

export interface CoverageOptions {
  readonly weight: number;
  readonly threshold: number | { readonly percentile: number };
}

export interface Coverage {
  readonly threshold: number;
  /** cov(S) = sum_j max_{i in S} W_ij over the references j, in units of the largest cov of a single point; starts empty. */
  start(): Bonus;
}

/**
 * W_ij = max(0, A_ij - t) between documents, for pairs that may agree, else 0; W_jj is the largest W_ij of j; paraphrases take the
 * largest W of all. O(references) per gain. Under CENTRING_LEAST points, S minus its mean off-diagonal value replaces A.
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

  const w = new Float32Array(n * m); // point-major, so that a gain reads consecutive entries
  let largest = 0;
  for (let r = 0; r < m; r++) {
    for (let i = 0; i < n; i++) {
      const value = agreement.values[r * n + i];
      if (value === NONE || (value === PARAPHRASE && !small) || documents[indices[r]] === documents[i]) continue;
      w[i * m + r] = Math.max(0, levels[r * n + i] - t);
      if (w[i * m + r] > largest) largest = w[i * m + r];
    }
  }
  const proof = largest === 0 ? 1 : largest; // paraphrases count even if nothing else does
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
  return { threshold: t, start: () => coverageOfNone(gains, scale, m) };
}

/** The positive entries of W, sparse: about a quarter of W at the 75th percentile. */
interface Covering {
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

function coverageOfNone(gains: Covering, scale: number, m: number): Bonus {
  const covered = new Float64Array(m);
  let value = 0;
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
  };
}

function added({ offsets, references, values }: Covering, i: number, covered: Float64Array): number {
  const end = offsets[i + 1];
  let sum = 0;
  for (let at = offsets[i]; at < end; at++) {
    const more = values[at] - covered[references[at]];
    if (more > 0) sum += more;
  }
  return sum;
}

/** The sum over documents d of sqrt(sum of q_i over the points taken from d), submodular (Lin & Bilmes, ACL 2011, eq. 4); starts empty. */
export function sources(documents: ArrayLike<number>, quality: Float64Array): Bonus {
  const taken = new Float64Array(Array.from(documents).reduce((most, document) => Math.max(most, document + 1), 0));
  let value = 0;
  const gain = (i: number): number => {
    const before = taken[documents[i]];
    return Math.sqrt(before + quality[i]) - Math.sqrt(before);
  };
  return {
    get value() {
      return value;
    },
    gain,
    add(i) {
      value += gain(i);
      taken[documents[i]] += quality[i];
    },
  };
}

export function weightedSum(terms: readonly (readonly [number, Bonus | null])[]): Bonus | null {
  const counted = terms.flatMap(([weight, term]) => (weight > 0 && term !== null ? [{ weight, term }] : []));
  if (counted.length === 0) return null;
  return {
    get value() {
      return counted.reduce((sum, { weight, term }) => sum + weight * term.value, 0);
    },
    gain: (i) => counted.reduce((sum, { weight, term }) => sum + weight * term.gain(i), 0),
    add(i) {
      for (const { term } of counted) term.add(i);
    },
  };
}
