import { determinant, EigenvalueDecomposition, inverse, Matrix } from 'ml-matrix';
import type { Random } from '../kernel/random.ts';

/** A A^T of a random n x rank matrix. */
export function psd(random: Random, n: number, rank: number): number[][] {
  const a = Array.from({ length: n }, () => Array.from({ length: rank }, () => random.normal()));
  return gram(a);
}

/** x . y of all pairs of rows. */
export function gram(rows: readonly (readonly number[])[]): number[][] {
  return rows.map((x) => rows.map((y) => x.reduce((sum, value, c) => sum + value * y[c], 0)));
}

/** exp(-|x - y|^2 / (2 sigma^2)) of random points, 1 on the diagonal. */
export function gaussian(random: Random, n: number, dimensions: number, sigma = 1): number[][] {
  const points = Array.from({ length: n }, () => Array.from({ length: dimensions }, () => random.normal()));
  return points.map((x) =>
    points.map((y) => Math.exp(-x.reduce((sum, value, c) => sum + (value - y[c]) ** 2, 0) / (2 * sigma * sigma))),
  );
}

/** Scaled to a diagonal of 1. */
export function unitDiagonal(k: readonly (readonly number[])[]): number[][] {
  return k.map((row, i) => row.map((value, j) => (i === j ? 1 : value / Math.sqrt(k[i][i] * k[j][j]))));
}

/** The kernel of items that repeat others: item i is a copy of `of[i]`. */
export function repeated(k: readonly (readonly number[])[], of: readonly number[]): number[][] {
  return of.map((i) => of.map((j) => k[i][j]));
}

/** diag(q) K diag(q). */
export function weighted(k: readonly (readonly number[])[], q: ArrayLike<number>): number[][] {
  return k.map((row, i) => row.map((value, j) => q[i] * value * q[j]));
}

/** A Gaussian, sigma 1, of the distance 1 - BERTScore F1 of items of a few random tokens each: not positive semi-definite. */
export function bertscoreGaussian(random: Random, n: number, tokens: number, dimensions: number): number[][] {
  const items = Array.from({ length: n }, () =>
    Array.from({ length: tokens }, () => {
      const v = Array.from({ length: dimensions }, () => random.normal());
      const norm = Math.hypot(...v);
      return v.map((value) => value / norm);
    }),
  );
  const recall = (x: number[][], y: number[][]) =>
    x.reduce(
      (sum, a) => sum + Math.max(...y.map((b) => a.reduce((product, value, c) => product + value * b[c], 0))),
      0,
    ) / x.length;
  return items.map((x, i) =>
    items.map((y, j) => {
      const [r, p] = [recall(x, y), recall(y, x)];
      const f1 = i === j ? 1 : (2 * p * r) / (p + r);
      return Math.exp(-((1 - f1) ** 2) / 2);
    }),
  );
}

/** Row-major. */
export function flat(k: readonly (readonly number[])[]): Float64Array {
  return Float64Array.from(k.flat());
}

/** Rows of a row-major square matrix. */
export function rowsOf(a: Float64Array, n: number): number[][] {
  return Array.from({ length: n }, (_, i) => [...a.subarray(i * n, (i + 1) * n)]);
}

export function diagonalOf(k: readonly (readonly number[])[]): Float64Array {
  return Float64Array.from(k, (row, i) => row[i]);
}

/** det(K_S) by LU. */
export function det(k: readonly (readonly number[])[], items: readonly number[]): number {
  return items.length === 0 ? 1 : determinant(new Matrix(items.map((i) => items.map((j) => k[i][j]))));
}

/** Ascending eigenvalues by ml-matrix. */
export function eigenvalues(k: readonly (readonly number[])[]): number[] {
  if (k.length === 0) return [];
  return new EigenvalueDecomposition(new Matrix(k.map((row) => [...row])), {
    assumeSymmetric: true,
  }).realEigenvalues.sort((a, b) => a - b);
}

/** Without its negative eigenvalues, by ml-matrix. */
export function clipped(k: readonly (readonly number[])[]): number[][] {
  const { realEigenvalues, eigenvectorMatrix } = new EigenvalueDecomposition(new Matrix(k.map((row) => [...row])), {
    assumeSymmetric: true,
  });
  const positive = Matrix.diag(realEigenvalues.map((value) => Math.max(0, value)));
  return eigenvectorMatrix.mmul(positive).mmul(eigenvectorMatrix.transpose()).to2DArray();
}

/** L (L + I)^-1 by ml-matrix. */
export function marginalKernel(l: readonly (readonly number[])[]): number[][] {
  if (l.length === 0) return [];
  const matrix = new Matrix(l.map((row) => [...row]));
  return matrix.mmul(inverse(Matrix.add(matrix, Matrix.eye(l.length)))).to2DArray();
}

/** log det(L + I) by ml-matrix' eigenvalues. */
export function logNormalizer(l: readonly (readonly number[])[]): number {
  return eigenvalues(l).reduce((sum, value) => sum + Math.log1p(value), 0);
}

/** K_ij - K_iP K_PP^-1 K_Pj by ml-matrix. */
export function schurComplement(k: readonly (readonly number[])[], pivots: readonly number[]): number[][] {
  if (pivots.length === 0) return k.map((row) => [...row]);
  const across = new Matrix(k.map((row) => pivots.map((p) => row[p])));
  const own = new Matrix(pivots.map((p) => pivots.map((q) => k[p][q])));
  return Matrix.sub(
    new Matrix(k.map((row) => [...row])),
    across.mmul(inverse(own)).mmul(across.transpose()),
  ).to2DArray();
}

/** Items of a subset that is given as a bit mask. */
export function itemsOf(set: number): number[] {
  const items: number[] = [];
  for (let i = 0; set >> i > 0; i++) if ((set >> i) & 1) items.push(i);
  return items;
}

export function subsetSize(set: number): number {
  return itemsOf(set).length;
}

/** The bit mask of items. */
export function maskOf(items: readonly number[]): number {
  return items.reduce((mask, i) => mask | (1 << i), 0);
}

/** P(S) proportional to det(L_S) over all subsets, or over those of size k; indexed by bit mask. */
export function lawOf(
  k: readonly (readonly number[])[],
  size: number | null = null,
  quality: ArrayLike<number> | null = null,
): Float64Array {
  const law = new Float64Array(1 << k.length);
  for (let set = 0; set < law.length; set++) {
    const items = itemsOf(set);
    if (size !== null && items.length !== size) continue;
    // What LU leaves of a dependent set may be negative.
    law[set] = items.reduce((value, i) => value * (quality?.[i] ?? 1) ** 2, Math.max(0, det(k, items)));
  }
  const total = law.reduce((sum, value) => sum + value, 0);
  return law.map((value) => value / total);
}

/** Half the sum of absolute differences. */
export function totalVariation(a: Float64Array, b: Float64Array): number {
  return a.reduce((sum, value, set) => sum + Math.abs(value - b[set]), 0) / 2;
}
