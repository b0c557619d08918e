import { type BlockMatrix, padded, scratchMatrix } from './block-matrix.ts';

/** Columns eliminated at a time, and columns subtracted in one pass. */
const PANEL = 16;
const RUN = 256;

/**
 * A = C C^T for a symmetric positive definite A. Blocked, n^3 / 3 operations.
 *
 * @param fill writes row i of A up to the diagonal
 * @returns C, valid until the next factorisation; null if A is not numerically positive definite
 */
export function choleskyOf(
  n: number,
  fill: (i: number, row: Float64Array) => void,
  matrix = scratchMatrix(n, n),
): BlockMatrix | null {
  const { values, stride } = matrix;
  for (let i = 0; i < n; i++) fill(i, values.subarray(i * stride, i * stride + i + 1));
  pad(matrix, n);
  for (let from = 0; from < stride; from += PANEL) {
    const to = Math.min(stride, from + PANEL);
    subtractLeft(matrix, from, stride, from, to);
    if (!eliminateDiagonal(matrix, from, to)) return null;
    eliminateBelow(matrix, to, stride, from, to);
  }
  return matrix;
}

export function copyLower({ values, stride }: BlockMatrix, into: Float64Array, n: number): void {
  for (let i = 0; i < n; i++) into.set(values.subarray(i * stride, i * stride + i + 1), i * n);
}

/** The diagonal of (C C^T)^-1 in about n^3 operations: column sums of squares of C^-1. @param c lower triangular, row-major n x n */
export function inverseDiagonal(c: Float64Array, n: number): Float64Array {
  const below = padded(n); // first row of the identity
  const matrix = scratchMatrix(2 * below, n);
  const { values, stride } = matrix;
  for (let i = 0; i < n; i++) values.set(c.subarray(i * n, i * n + i + 1), i * stride);
  pad(matrix, n);
  values.fill(0, below * stride, 2 * below * stride);
  for (let i = 0; i < n; i++) values[(below + i) * stride + i] = 1;
  for (let from = 0; from < stride; from += PANEL) {
    const to = Math.min(stride, from + PANEL);
    subtractLeft(matrix, below, below + to, from, to); // all zero further down
    eliminateBelow(matrix, below, below + to, from, to);
  }
  return Float64Array.from({ length: n }, (_, i) => {
    let sum = 0;
    for (let j = i; j < n; j++) sum += values[(below + i) * stride + j] ** 2;
    return sum;
  });
}

function pad({ values, stride }: BlockMatrix, n: number): void {
  for (let i = n; i < stride; i++) {
    values.fill(0, i * stride, (i + 1) * stride);
    values[i * stride + i] = 1;
  }
}

function subtractLeft(matrix: BlockMatrix, row: number, rows: number, from: number, to: number): void {
  for (let k = 0; k < from; k += RUN) matrix.subtract(row, rows, from, to, k, Math.min(from, k + RUN));
}

function eliminateDiagonal({ values, stride }: BlockMatrix, from: number, to: number): boolean {
  for (let j = from; j < to; j++) {
    const row = j * stride;
    let pivot = values[row + j];
    for (let k = from; k < j; k++) pivot -= values[row + k] * values[row + k];
    if (!(pivot > 0) || pivot === Number.POSITIVE_INFINITY) return false;
    values[row + j] = Math.sqrt(pivot);
    for (let i = j + 1; i < to; i++) {
      const other = i * stride;
      let rest = values[other + j];
      for (let k = from; k < j; k++) rest -= values[other + k] * values[row + k];
      values[other + j] = rest / values[row + j];
    }
  }
  return true;
}

function eliminateBelow({ values, stride }: BlockMatrix, row: number, rows: number, from: number, to: number): void {
  for (let i = row; i < rows; i++) {
    const own = i * stride;
    for (let j = from; j < to; j++) {
      const other = j * stride;
      let rest = values[own + j];
      for (let k = from; k < j; k++) rest -= values[own + k] * values[other + k];
      values[own + j] = rest / values[other + j];
    }
  }
}
