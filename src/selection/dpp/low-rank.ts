import { padded, scratchMatrix } from './block-matrix.ts';
import { pivotedCholesky } from './pivoted-cholesky.ts';
import { type SpectralDpp, spectralDpp } from './spectral-dpp.ts';
import { type Eigen, symmetricEigen } from './symmetric-eigen.ts';

/** L = V V^T + E with a positive semi-definite E. */
export interface LowRank {
  readonly n: number;
  readonly rank: number;
  readonly factor: Float64Array;
  /** tr E, the trace that V leaves unexplained: bounds the total variation distance for the DPP of random size. */
  readonly residual: number;
  readonly complete: boolean;
}

/** Share of the trace left halfway if the full number of pivots would reach rounding, the decay being geometric. */
const HALFWAY = 1e-6;

/** Partial pivoted Cholesky decomposition of L, reading `rank` rows. @param givesUp whether to stop halfway if decay is too slow */
export async function lowRank(
  diagonal: ArrayLike<number>,
  row: (i: number) => ArrayLike<number> | Promise<ArrayLike<number>>,
  maxRank: number,
  givesUp = false,
): Promise<LowRank> {
  const n = diagonal.length;
  const decomposition = pivotedCholesky(diagonal);
  const { pivots } = decomposition;
  let residual = 0;
  let trace = 0;
  let complete = false;
  for (;;) {
    let pivot = -1;
    let largest = 0;
    residual = 0;
    for (let i = 0; i < n; i++) {
      residual += Math.max(0, decomposition.residual(i));
      const rest = decomposition.independent(i);
      if (rest > largest) {
        largest = rest;
        pivot = i;
      }
    }
    complete = pivot < 0;
    if (pivots.length === 0) trace = residual;
    if (complete || residual <= 0 || pivots.length >= maxRank) break;
    if (givesUp && pivots.length === maxRank >> 1 && residual > HALFWAY * trace) break;
    decomposition.pivot(pivot, await row(pivot));
  }
  const rank = pivots.length;
  const factor = new Float64Array(n * rank);
  for (let i = 0; i < n; i++) factor.set(decomposition.coordinates(i), i * rank);
  decomposition.release();
  return { n, rank, factor, residual, complete };
}

/** The DPP of V V^T by the eigenvectors of V^T V (Kulesza & Taskar 2012, section 3.3), O(n r^2 + r^3). */
export function dualDpp(factor: Float64Array, n: number, rank: number): SpectralDpp {
  // Reversed columns: the decomposition puts large ones first, and QL is accurate for small ones if they lead.
  const reversed = new Float64Array(n * rank);
  for (let i = 0; i < n; i++) {
    for (let c = 0; c < rank; c++) reversed[i * rank + c] = factor[i * rank + rank - 1 - c];
  }
  const { vectors: dual } = symmetricEigen(gram(reversed, n, rank), rank);
  const vectors = multiply(reversed, n, dual, rank);
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

/** V^T V, row-major r x r, exactly symmetric. */
export function gram(v: Float64Array, n: number, r: number): Float64Array {
  // Each row holds its products, then a column of V.
  const width = padded(r);
  const { values, stride, subtract } = scratchMatrix(width, width + padded(n));
  values.fill(0, 0, width * stride);
  for (let i = 0; i < n; i++) for (let c = 0; c < r; c++) values[c * stride + width + i] = v[i * r + c];
  subtract(0, width, 0, width, width, width + padded(n));
  const out = new Float64Array(r * r);
  for (let a = 0; a < r; a++) {
    for (let b = 0; b <= a; b++) {
      out[a * r + b] = -values[a * stride + b];
      out[b * r + a] = out[a * r + b];
    }
  }
  return out;
}

/** V E, row-major n x r. */
function multiply(v: Float64Array, n: number, e: Float64Array, r: number): Float64Array {
  // Each row holds its products, then a column of E, or, further down, a row of V.
  const width = padded(r);
  const rows = width + padded(n);
  const { values, stride, subtract } = scratchMatrix(rows, 2 * width);
  values.fill(0, 0, rows * stride);
  for (let a = 0; a < r; a++) for (let b = 0; b < r; b++) values[b * stride + width + a] = e[a * r + b];
  for (let i = 0; i < n; i++) values.set(v.subarray(i * r, (i + 1) * r), (width + i) * stride + width);
  subtract(width, rows, 0, width, width, 2 * width);
  const out = new Float64Array(n * r);
  for (let i = 0; i < n; i++) for (let c = 0; c < r; c++) out[i * r + c] = -values[(width + i) * stride + c];
  return out;
}

/**
 * V with V V^T = L_nm (L_mm)+ L_mn, the Nyström approximation (Williams & Seeger 2001), without eigenvalues of L_mm that are noise.
 *
 * @param rows rows of the landmarks, row-major m x n
 * @returns V, row-major n x rank, and the clipped share of L_mm
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

export function clippedMass(values: Float64Array): number {
  let negative = 0;
  let all = 0;
  for (const value of values) {
    all += Math.abs(value);
    if (value < 0) negative -= value;
  }
  return all === 0 ? 0 : negative / all;
}

export function clip({ values, vectors }: Eigen, n: number): Float64Array {
  const r = values.length;
  const out = new Float64Array(n * n);
  const scaled = new Float64Array(r);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < r; j++) scaled[j] = Math.max(0, values[j]) * vectors[i * r + j];
    for (let k = 0; k <= i; k++) {
      let sum = 0;
      for (let j = 0; j < r; j++) sum += scaled[j] * vectors[k * r + j];
      out[i * n + k] = sum;
      out[k * n + i] = sum;
    }
  }
  return out;
}
