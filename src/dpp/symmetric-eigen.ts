import { implicitQl } from './implicit-ql.ts';
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
 * (Golub & Van Loan, Matrix Computations, sections 8.3.1 and 8.3.3). About 7 n^3 operations.
 *
 * @param a row-major n x n, of which the lower triangle is read
 */
export function symmetricEigen(a: Float64Array, n: number): Eigen {
  const reflections = a.slice();
  const { diagonal, beside, norms } = tridiagonalise(reflections, n);
  const vectors = reflectionsProduct(reflections, norms, n);
  const turns = rotationBuffer(vectors, n);
  implicitQl(diagonal, beside, turns);
  turns.flush();
  return { values: diagonal, vectors };
}

/** The eigenvalues alone, in no order: 4/3 n^3 operations. */
export function symmetricEigenvalues(a: Float64Array, n: number): Float64Array {
  const { diagonal, beside } = tridiagonalise(a.slice(), n);
  implicitQl(diagonal, beside, { sweep: () => {}, turn: () => {} });
  return diagonal;
}
