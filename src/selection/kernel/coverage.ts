import { type Agreement, CENTRING_LEAST, NONE, PARAPHRASE } from './agreement.ts';
import { offDiagonalMoments, offDiagonalPercentile, type Reference } from './reference.ts';

/** A monotone submodular term of the objective, as it grows item by item. */
export interface Bonus {
  readonly value: number;
  gain(i: number): number;
  add(i: number): void;
}

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

  const mayCover = (r: number, i: number): boolean => documents[indices[r]] !== documents[i];
  const isProof = (r: number, i: number): boolean => !small && agreement.values[r * n + i] === PARAPHRASE;
  const w = new Float32Array(n * m); // point-major, so that a gain reads consecutive entries
  let largest = 0;
  for (let r = 0; r < m; r++) {
    for (let i = 0; i < n; i++) {
      if (agreement.values[r * n + i] === NONE || isProof(r, i) || !mayCover(r, i)) continue;
      w[i * m + r] = Math.max(0, levels[r * n + i] - t);
      if (w[i * m + r] > largest) largest = w[i * m + r];
    }
  }
  const proof = largest === 0 ? 1 : largest; // paraphrases count even if nothing else does
  for (let r = 0; r < m; r++) {
    let own = 0;
    for (let i = 0; i < n; i++) {
      if (isProof(r, i) && mayCover(r, i)) w[i * m + r] = proof;
      if (w[i * m + r] > own) own = w[i * m + r];
    }
    w[indices[r] * m + r] = own;
  }

  const gains = positive(w, n, m);
  const none = new Float64Array(m);
  let best = 0;
  for (let i = 0; i < n; i++) best = Math.max(best, added(gains[i], none));
  const scale = best === 0 ? 0 : 1 / best;
  return {
    threshold: t,
    start() {
      const covered = new Float64Array(m);
      const gain = (i: number): number => scale * added(gains[i], covered);
      return growing(gain, (i) => {
        const { references, values } = gains[i];
        references.forEach((r, at) => {
          covered[r] = Math.max(covered[r], values[at]);
        });
      });
    },
  };
}

/** The positive entries of a row of W: about a quarter of it at the 75th percentile. */
interface Covering {
  readonly references: Int32Array;
  readonly values: Float32Array;
}

function positive(w: Float32Array, n: number, m: number): Covering[] {
  return Array.from({ length: n }, (_, i) => {
    const row = w.subarray(i * m, (i + 1) * m);
    const references = Int32Array.from(row.keys()).filter((r) => row[r] > 0);
    return { references, values: Float32Array.from(references, (r) => row[r]) };
  });
}

function added({ references, values }: Covering, covered: Float64Array): number {
  let sum = 0;
  for (let at = 0; at < values.length; at++) {
    const more = values[at] - covered[references[at]];
    if (more > 0) sum += more;
  }
  return sum;
}

/** The sum over documents d of sqrt(sum of q_i over the points taken from d), submodular (Lin & Bilmes, ACL 2011, eq. 4); starts empty. */
export function sources(documents: ArrayLike<number>, quality: Float64Array): Bonus {
  const taken = new Float64Array(Array.from(documents).reduce((most, document) => Math.max(most, document + 1), 0));
  const gain = (i: number): number => {
    const before = taken[documents[i]];
    return Math.sqrt(before + quality[i]) - Math.sqrt(before);
  };
  return growing(gain, (i) => {
    taken[documents[i]] += quality[i];
  });
}

function growing(gain: Bonus['gain'], add: Bonus['add']): Bonus {
  let value = 0;
  return {
    get value() {
      return value;
    },
    gain,
    add(i) {
      value += gain(i);
      add(i);
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
