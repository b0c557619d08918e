import { padded, scratchMatrix } from './block-matrix.ts';
import { pivotedCholesky } from './pivoted-cholesky.ts';
import { type SpectralDpp, spectralDpp } from './spectral-dpp.ts';
import { type Eigen, symmetricEigen } from './symmetric-eigen.ts';

/** L = V V^T + E with a positive semi-definite E. */
export interface LowRank {
  readonly rank: number;
  readonly factor: Float64Array;
  /** tr E, the trace that V leaves unexplained: bounds the total variation distance for the DPP of random size. */
  readonly residual: number;
  readonly complete: boolean;
}

/** Partial pivoted Cholesky decomposition of L, reading `rank` rows. */
export async function lowRank(
  diagonal: ArrayLike<number>,
  row: (i: number) => ArrayLike<number> | Promise<ArrayLike<number>>,
  maxRank: number,
): Promise<LowRank> {
  const n = diagonal.length;
  const decomposition = pivotedCholesky(diagonal);
  const { pivots } = decomposition;
  for (;;) {
    let pivot = -1;
    let largest = 0;
    let residual = 0;
    for (let i = 0; i < n; i++) {
      residual += Math.max(0, decomposition.residual(i));
      const rest = decomposition.independent(i);
      if (rest > largest) {
        largest = rest;
        pivot = i;
      }
    }
    const complete = pivot < 0;
    if (complete || residual <= 0 || pivots.length >= maxRank) {
      const rank = pivots.length;
      const factor = new Float64Array(n * rank);
      for (let i = 0; i < n; i++) factor.set(decomposition.coordinates(i), i * rank);
      decomposition.release();
      return { rank, factor, residual, complete };
    }
    decomposition.pivot(pivot, await row(pivot));
  }
}

/** The DPP of V V^T by the eigenvectors of V^T V (Kulesza & Taskar 2012, section 3.3), O(n r^2 + r^3). */
export function dualDpp(factor: Float64Array, n: number, rank: number): SpectralDpp {
  // Reversed columns: the decomposition puts large ones first, and QL is accurate for small ones if they lead.
  const reversed = new Float64Array(n * rank);
  for (let i = 0; i < n; i++) {
    for (let c = 0; c < rank; c++) reversed[i * rank + c] = factor[i * rank + rank - 1 - c];
  }
  const columns = transposed(reversed, n, rank);
  const { vectors: dual } = symmetricEigen(product(columns, rank, columns, rank, n), rank);
  const vectors = product(reversed, n, transposed(dual, rank, rank), rank, rank);
  const values = new Float64Array(rank);
  for (let i = 0; i < n; i++) for (let j = 0; j < rank; j++) values[j] += vectors[i * rank + j] ** 2;
  const scales = values.map((value) => (value > 0 ? 1 / Math.sqrt(value) : 0));
  for (let i = 0; i < n; i++) for (let j = 0; j < rank; j++) vectors[i * rank + j] *= scales[j];
  return spectralDpp({ values, vectors }, n, 0);
}

/** Bound on the total variation distance between draws from V V^T and from L: tr E for random size (null). */
export function dualDistance(dpp: SpectralDpp, residual: number, size: number | null): number {
  if (residual === 0) return 0;
  return size === null || size > dpp.rank
    ? Math.min(1, residual)
    : fixedSizeDistance(dpp.logPolynomials(size), size, residual);
}

/** The bound for k-DPPs: 1 - e_k(A) / sum_j e_(k-j)(A) eps^j / j!, A = V V^T, eps = tr E. @param logPolynomials log e_0(A) .. log e_k(A) */
export function fixedSizeDistance(logPolynomials: ArrayLike<number>, k: number, residual: number): number {
  const logs: number[] = [];
  let term = 0; // log(eps^j / j!)
  for (let j = 0; j <= k; j++) {
    if (j > 0) term += Math.log(residual) - Math.log(j);
    logs.push(logPolynomials[k - j] + term);
  }
  const most = Math.max(...logs);
  const sum = logs.reduce((total, log) => total + Math.exp(log - most), 0);
  return 1 - Math.exp(logs[0] - most) / sum;
}

/** A B^T, row-major m x n. @param a row-major m x inner @param b row-major n x inner */
function product(a: Float64Array, m: number, b: Float64Array, n: number, inner: number): Float64Array {
  // Rows of B, then of A, each behind its products.
  const width = padded(n);
  const rows = width + padded(m);
  const end = width + padded(inner);
  const { values, stride, subtract } = scratchMatrix(rows, end);
  values.fill(0, 0, rows * stride);
  for (let j = 0; j < n; j++) values.set(b.subarray(j * inner, (j + 1) * inner), j * stride + width);
  for (let i = 0; i < m; i++) values.set(a.subarray(i * inner, (i + 1) * inner), (width + i) * stride + width);
  subtract(width, rows, 0, width, width, end);
  const out = new Float64Array(m * n);
  for (let i = 0; i < m; i++) for (let j = 0; j < n; j++) out[i * n + j] = -values[(width + i) * stride + j];
  return out;
}

function transposed(rows: Float64Array, n: number, d: number): Float64Array {
  const columns = new Float64Array(rows.length);
  for (let i = 0; i < n; i++) for (let c = 0; c < d; c++) columns[c * n + i] = rows[i * d + c];
  return columns;
}

/**
 * V with V V^T = L_nm (L_mm)+ L_mn, the Nyström approximation (Williams & Seeger 2001), without eigenvalues of L_mm that are noise.
 *
 * @param rows rows of the landmarks, row-major m x n
 * @returns V, row-major n x rank, and the clipped share of L_mm
 */
export function nystromFactor(rows: Float64Array, landmarks: readonly number[], n: number) {
  const m = landmarks.length;
  const own = new Float64Array(m * m);
  for (let a = 0; a < m; a++) for (let b = 0; b < m; b++) own[a * m + b] = rows[a * n + landmarks[b]];
  const { values, vectors } = symmetricEigen(own, m);
  const largest = values.reduce((most, value) => Math.max(most, value), 0);
  const noise = values.reduce((most, value) => Math.max(most, -value), m * Number.EPSILON * largest);
  const kept = Array.from(values.keys()).filter((j) => values[j] > noise);
  const rank = kept.length;
  const weights = new Float64Array(rank * m); // lambda^(-1/2) U^T
  for (let c = 0; c < rank; c++) {
    for (let a = 0; a < m; a++) weights[c * m + a] = vectors[a * m + kept[c]] / Math.sqrt(values[kept[c]]);
  }
  const factor = product(transposed(rows, m, n), n, weights, rank, m);
  return { factor, rank, clippedMass: clippedMass(values) };
}

export function clippedMass(values: Float64Array): number {
  let negative = 0;
  let all = 0;
  for (const value of values) {
    all += Math.abs(value);
    if (value < 0) negative -= value;
  }
  return all === 0 ? 0 : negative / all;
}

/** The matrix of the positive eigenvalues, exactly symmetric. */
export function clip({ values, vectors }: Eigen, n: number): Float64Array {
  const r = values.length;
  const roots = values.map((value) => Math.sqrt(Math.max(0, value)));
  const scaled = vectors.map((value, at) => value * roots[at % r]);
  return product(scaled, n, scaled, n, r);
}
