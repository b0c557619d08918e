import { implicitQl, NoConvergenceError } from './implicit-ql.ts';
import { rotationBuffer } from './rotations.ts';
import { reflectionsProduct, tridiagonalise } from './tridiagonal.ts';

/** A = sum_j values[j] u_j u_j^T. */
export interface Eigen {
  /** Eigenvalues in no order; r long. */
  readonly values: Float64Array;
  /** Row-major n x r: component i of the unit eigenvector j at i r + j. */
  readonly vectors: Float64Array;
}

/**
 * All eigenvalues and eigenvectors of a symmetric matrix: Householder reflections to tridiagonal form, then implicit QL
 * (Golub & Van Loan, Matrix Computations, sections 8.3.1 and 8.3.3), on the scale of the largest entry. About 7 n^3
 * operations.
 *
 * @param a row-major n x n, of which the lower triangle is read
 * @throws NoConvergenceError where an entry is not finite
 */
export function symmetricEigen(a: Float64Array, n: number): Eigen {
  const scale = scaleOf(a, n);
  const reflections = a.map((value) => value / scale);
  const { diagonal, beside, norms } = tridiagonalise(reflections, n);
  const vectors = reflectionsProduct(reflections, norms, n);
  const turns = rotationBuffer(vectors, n);
  implicitQl(diagonal, beside, turns);
  turns.flush();
  return { values: diagonal.map((value) => value * scale), vectors };
}

/** The eigenvalues alone, in no order: about 4/3 n^3 operations. */
export function symmetricEigenvalues(a: Float64Array, n: number): Float64Array {
  const scale = scaleOf(a, n);
  const { diagonal, beside } = tridiagonalise(
    a.map((value) => value / scale),
    n,
  );
  implicitQl(diagonal, beside, { sweep() {}, turn() {} });
  return diagonal.map((value) => value * scale);
}

/** The largest entry, 1 where all are 0. */
function scaleOf(a: Float64Array, n: number): number {
  let largest = 0;
  for (let i = 0; i < n; i++) {
    for (let j = 0; j <= i; j++) {
      const size = Math.abs(a[i * n + j]);
      if (!Number.isFinite(size)) throw new NoConvergenceError();
      if (size > largest) largest = size;
    }
  }
  return largest === 0 ? 1 : largest;
}
