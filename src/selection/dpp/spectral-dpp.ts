import type { Dpp } from './dpp.ts';
import { logElementarySymmetric } from './elementary-symmetric.ts';
import type { Random } from './random.ts';
import { RankError } from './rank-error.ts';
import { sampleProjection } from './sample-projection.ts';
import type { Eigen } from './symmetric-eigen.ts';

export interface SpectralDpp extends Dpp {
  /** log e_0 .. log e_k of the eigenvalues. */
  logPolynomials(k: number): Float64Array;
}

/**
 * The DPP of L = sum_j lambda_j u_j u_j^T: a set of eigenvectors is drawn, then items from the projection onto them (Hough et
 * al. 2006; Kulesza & Taskar 2012, algorithms 1 and 8). Drawing k items costs O(n k^2).
 *
 * @param eigen eigenvalues and eigenvectors, n x r; those that are not above rounding are left out, so that L is clipped to
 *   its positive semi-definite part
 * @param rounding share of the largest eigenvalue that counts as rounding
 */
export function spectralDpp(eigen: Eigen, n: number, rounding = n * Number.EPSILON): SpectralDpp {
  const { values, vectors } = positivePart(eigen, n, rounding);
  const r = values.length;
  const shares = values.map((lambda) => lambda / (1 + lambda));
  const width = r + 1;
  let marginals: Float64Array | undefined;
  let table: { readonly k: number; readonly logs: Float64Array } | undefined;

  function polynomials(k: number): Float64Array {
    if (table?.k !== k) table = { k, logs: logElementarySymmetric(values, k) };
    return table.logs;
  }

  function chooseEigenvectors(k: number, random: Random): number[] {
    const logs = polynomials(k);
    const chosen: number[] = [];
    for (let m = r, left = k; left > 0; m--) {
      const log = Math.log(values[m - 1]) + logs[(left - 1) * width + m - 1] - logs[left * width + m];
      if (left === m || random() < Math.exp(log)) {
        chosen.push(m - 1);
        left--;
      }
    }
    return chosen;
  }

  /** For every item the sum over the eigenvectors, in their order. */
  function sumOf(term: (j: number, vector: Float64Array, i: number) => number): Float64Array {
    const sums = new Float64Array(n);
    for (const [j, vector] of vectors.entries()) for (let i = 0; i < n; i++) sums[i] += term(j, vector, i);
    return sums;
  }

  function drawFrom(chosen: readonly number[], random: Random): number[] {
    return sampleProjection(
      chosen.map((j) => vectors[j]),
      n,
      random,
    );
  }

  return {
    n,
    rank: r,
    diagonal: () => sumOf((j, vector, i) => values[j] * vector[i] ** 2),
    row: (i) => sumOf((j, vector, k) => values[j] * vector[i] * vector[k]),
    logPolynomials: (k) => Float64Array.from({ length: k + 1 }, (_, l) => polynomials(k)[l * width + r]),
    logNormalizer: values.reduce((sum, lambda) => sum + Math.log1p(lambda), 0),
    marginals() {
      marginals ??= sumOf((j, vector, i) => shares[j] * vector[i] ** 2);
      return marginals;
    },
    sample(random) {
      const chosen = Array.from(shares.keys()).filter((j) => random() < shares[j]);
      return drawFrom(chosen, random);
    },
    sampleOfSize(k, random) {
      if (k > r) throw new RankError(k, r);
      return drawFrom(chooseEigenvectors(k, random), random);
    },
  };
}

/** Eigenvalues above the rounding of the largest, with their vectors, each by itself. */
function positivePart(
  { values, vectors }: Eigen,
  n: number,
  rounding: number,
): { readonly values: Float64Array; readonly vectors: readonly Float64Array[] } {
  const r = values.length;
  const floor = rounding * values.reduce((most, v) => Math.max(most, v), 0);
  const kept = Array.from(values.keys()).filter((j) => values[j] > floor);
  const out = kept.map(() => new Float64Array(n));
  for (let i = 0; i < n; i++) for (let k = 0; k < kept.length; k++) out[k][i] = vectors[i * r + kept[k]];
  return { values: Float64Array.from(kept, (j) => values[j]), vectors: out };
}
