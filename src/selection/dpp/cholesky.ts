import { type BlockMatrix, padded, scratchMatrix } from './block-matrix.ts';

/** Columns eliminated at a time, and the run of columns that one pass subtracts, whose rows stay in the cache. */
const PANEL = 16;
const RUN = 256;

/**
 * The Cholesky factor of a symmetric positive definite matrix: A = C C^T with C lower triangular. By blocks, n^3 / 3
 * operations (about 12 GFLOPS on one core by WebAssembly, 4 without).
 *
 * @param fill writes row i of A, from its start to the diagonal, into the i + 1 places it is given
 * @returns C, row-major with the given stride, until the next factorisation; null where A is not numerically positive definite
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

/**
 * The same, in place.
 *
 * @param a row-major n x n, of which the lower triangle is read and overwritten by C; what lies above is left as it is
 * @returns whether A is numerically positive definite; where not, `a` is as it was
 */
export function cholesky(a: Float64Array, n: number, matrix = scratchMatrix(n, n)): boolean {
  const factor = choleskyOf(n, (i, row) => row.set(a.subarray(i * n, i * n + i + 1)), matrix);
  if (factor === null) return false;
  copyLower(factor, a, n);
  return true;
}

/** Copies the lower triangle into a row-major n x n matrix. */
export function copyLower({ values, stride }: BlockMatrix, into: Float64Array, n: number): void {
  for (let i = 0; i < n; i++) into.set(values.subarray(i * stride, i * stride + i + 1), i * n);
}

/**
 * The diagonal of (C C^T)^-1, about n^3 operations: the column sums of squares of C^-1, whose transpose is what elimination
 * makes of an identity below C.
 *
 * @param c a lower triangular factor, row-major n x n; only the lower triangle is read
 */
export function inverseDiagonal(c: Float64Array, n: number): Float64Array {
  const below = padded(n); // where the identity begins
  const matrix = scratchMatrix(2 * below, n);
  const { values, stride } = matrix;
  for (let i = 0; i < n; i++) values.set(c.subarray(i * n, i * n + i + 1), i * stride);
  pad(matrix, n);
  values.fill(0, below * stride, 2 * below * stride);
  for (let i = 0; i < n; i++) values[(below + i) * stride + i] = 1;
  for (let from = 0; from < stride; from += PANEL) {
    const to = Math.min(stride, from + PANEL);
    subtractLeft(matrix, below, below + to, from, to); // further down everything is 0
    eliminateBelow(matrix, below, below + to, from, to);
  }
  return Float64Array.from({ length: n }, (_, i) => {
    let sum = 0;
    for (let j = i; j < n; j++) sum += values[(below + i) * stride + j] ** 2;
    return sum;
  });
}

/** Rows of the identity, which leave the rest alone, up to a multiple of 4. */
function pad({ values, stride }: BlockMatrix, n: number): void {
  for (let i = n; i < stride; i++) {
    values.fill(0, i * stride, (i + 1) * stride);
    values[i * stride + i] = 1;
  }
}

/** Takes from the columns [from, to) what the columns to their left explain. */
function subtractLeft(matrix: BlockMatrix, row: number, rows: number, from: number, to: number): void {
  for (let k = 0; k < from; k += RUN) matrix.subtract(row, rows, from, to, k, Math.min(from, k + RUN));
}

/** The block on the diagonal, one column at a time; false where a pivot is not positive. */
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

/** The rows [row, rows) of the columns [from, to), by forward substitution with the block on the diagonal. */
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
