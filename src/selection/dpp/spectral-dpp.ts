import type { Dpp } from './dpp.ts';
import { logElementarySymmetric } from './elementary-symmetric.ts';
import { pivotedCholesky } from './pivoted-cholesky.ts';
import type { Random } from './random.ts';
import { RankError } from './rank-error.ts';
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

  return {
    n,
    rank: r,
    diagonal: () =>
      Float64Array.from({ length: n }, (_, i) =>
        values.reduce((sum, lambda, j) => sum + lambda * vectors[i * r + j] ** 2, 0),
      ),
    row(i) {
      const scaled = values.map((lambda, j) => lambda * vectors[i * r + j]);
      return Float64Array.from({ length: n }, (_, k) =>
        scaled.reduce((sum, value, j) => sum + value * vectors[k * r + j], 0),
      );
    },
    logPolynomials: (k) => Float64Array.from({ length: k + 1 }, (_, l) => polynomials(k)[l * width + r]),
    logNormalizer: values.reduce((sum, lambda) => sum + Math.log1p(lambda), 0),
    marginals() {
      marginals ??= Float64Array.from({ length: n }, (_, i) =>
        shares.reduce((sum, share, j) => sum + share * vectors[i * r + j] ** 2, 0),
      );
      return marginals;
    },
    sample(random) {
      const chosen = Array.from(shares.keys()).filter((j) => random() < shares[j]);
      return sampleProjection(vectors, n, r, chosen, random);
    },
    sampleOfSize(k, random) {
      if (k > r) throw new RankError(k, r);
      return sampleProjection(vectors, n, r, chooseEigenvectors(k, random), random);
    },
  };
}

/** Eigenvalues above the rounding of the largest, with their vectors. */
function positivePart({ values, vectors }: Eigen, n: number, rounding: number): Eigen {
  const r = values.length;
  const floor = rounding * values.reduce((most, v) => Math.max(most, v), 0);
  const kept = Array.from(values.keys()).filter((j) => values[j] > floor);
  const out = new Float64Array(n * kept.length);
  for (let i = 0; i < n; i++) {
    for (let k = 0; k < kept.length; k++) out[i * kept.length + k] = vectors[i * r + kept[k]];
  }
  return { values: Float64Array.from(kept, (j) => values[j]), vectors: out };
}

/**
 * As many items as vectors are chosen, from the projection onto their span: each with a probability that is its squared
 * distance from the span of those before it, which is the pivoted Cholesky decomposition of the projection with random pivots.
 */
function sampleProjection(
  vectors: Float64Array,
  n: number,
  r: number,
  chosen: readonly number[],
  random: Random,
): number[] {
  const k = chosen.length;
  const w = new Float64Array(n * k);
  const diagonal = new Float64Array(n);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < k; j++) {
      const value = vectors[i * r + chosen[j]];
      w[i * k + j] = value;
      diagonal[i] += value * value;
    }
  }
  const projection = pivotedCholesky(diagonal);
  const residuals = new Float64Array(n);
  for (let taken = 0; taken < k; taken++) {
    let total = 0;
    for (let i = 0; i < n; i++) {
      residuals[i] = projection.independent(i);
      total += residuals[i];
    }
    const item = pickByWeight(residuals, random() * total);
    const row = new Float64Array(n);
    for (let i = 0; i < n; i++) {
      let sum = 0;
      for (let j = 0; j < k; j++) sum += w[i * k + j] * w[item * k + j];
      row[i] = sum;
    }
    projection.pivot(item, row);
  }
  return [...projection.pivots].sort((a, b) => a - b);
}

/** The first index at which the running sum of the weights passes `target`; weights of 0 are never picked. */
function pickByWeight(weights: Float64Array, target: number): number {
  let sum = 0;
  let last = -1;
  for (let i = 0; i < weights.length; i++) {
    if (weights[i] === 0) continue;
    sum += weights[i];
    last = i;
    if (sum > target) break;
  }
  return last;
}
