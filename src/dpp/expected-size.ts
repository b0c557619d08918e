import { EigenvalueDecomposition, Matrix } from 'ml-matrix';

/** Eigenvalues of a symmetric matrix by ml-matrix; 0.2 s at 300, so callers keep n small. */
export function symmetricEigenvalues(rows: number[][]): number[] {
  if (rows.length === 0) return [];
  return new EigenvalueDecomposition(new Matrix(rows), { assumeSymmetric: true }).realEigenvalues;
}

/**
 * Expected number of items a DPP with kernel L draws: sum of lambda / (1 + lambda) over its positive eigenvalues
 * (Kulesza & Taskar 2012, equation 15), negative ones clipped.
 */
export function expectedSize(rows: number[][]): number {
  return symmetricEigenvalues(rows).reduce((sum, lambda) => sum + (lambda > 0 ? lambda / (1 + lambda) : 0), 0);
}
