import { EigenvalueDecomposition, Matrix } from 'ml-matrix';
import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { innerProducts } from './inner-products.ts';
import { orthonormalise } from './orthonormalise.ts';
import { weightedRows } from './weighted-rows.ts';

/** Eigenvalues, the largest first, and an eigenvector of unit length for each. */
export interface Eigenpairs {
  readonly values: Float64Array;
  /** Row-major, one eigenvector a row. */
  readonly vectors: Float64Array;
}

/** Rows up to which all eigenvectors are found at once: in 10 ms. */
const WHOLE = 128;
/** Directions beside those that are wanted: the more, the faster those settle. */
const BESIDE = 16;
/** Turns at most, and the share of itself that no wanted eigenvalue may have changed by in the last. */
const MOST_TURNS = 20;
const SETTLED = 1e-7;
/** How much more a filter may raise one direction than another, so that rounding does not drown the other, and its degree at most. */
const MOST_RAISED = 1e8;
const MOST_DEGREE = 8;
const SEED = 20_261_121;

/**
 * The largest eigenvalues of A A^T, and their eigenvectors. Up to 128 rows exactly; else by randomised subspace iteration with
 * Rayleigh-Ritz (Halko, Martinsson & Tropp 2011, algorithms 4.4 and 5.3), each turn of which raises what is wanted above the
 * rest by a Chebyshev polynomial (Zhou, Saad, Tiago & Chelikowsky 2006), until they settle. The start is always the same.
 *
 * @param a row-major, rows x length
 * @param count how many pairs; as many as there are rows at most
 */
export function largestEigenpairs(a: Float64Array, length: number, count: number): Eigenpairs {
  const rows = a.length / length;
  const squared = innerProducts(a, a, length);
  return rows <= WHOLE || count + BESIDE >= rows
    ? allEigenpairs(squared, rows, count)
    : bySubspace(squared, rows, count);
}

/** The first pairs of a symmetric matrix, all of whose pairs are found. */
function allEigenpairs(matrix: Float64Array, n: number, count: number): Eigenpairs {
  const { realEigenvalues, eigenvectorMatrix } = new EigenvalueDecomposition(Matrix.from1DArray(n, n, matrix), {
    assumeSymmetric: true,
  });
  const order = [...realEigenvalues.keys()].sort((i, j) => realEigenvalues[j] - realEigenvalues[i]).slice(0, count);
  const vectors = new Float64Array(order.length * n);
  order.forEach((column, c) => {
    for (let i = 0; i < n; i++) vectors[c * n + i] = eigenvectorMatrix.get(i, column);
  });
  return { values: Float64Array.from(order, (i) => realEigenvalues[i]), vectors };
}

function bySubspace(matrix: Float64Array, n: number, count: number): Eigenpairs {
  const times = (rows: Float64Array): Float64Array => innerProducts(rows, matrix, n);
  const random = xoroshiro128plus(SEED);
  const width = count + BESIDE;
  let basis = times(Float64Array.from({ length: width * n }, () => uniformFloat64(random) - 0.5));
  let before: Float64Array | null = null;
  for (let turn = 1; ; turn++) {
    orthonormalise(basis, n);
    const image = times(basis);
    const { values, vectors } = allEigenpairs(innerProducts(basis, image, n), width, width);
    const wanted = values.subarray(0, count);
    if (turn >= MOST_TURNS || isSettled(wanted, before)) {
      return { values: wanted, vectors: weightedRows(vectors.subarray(0, count * width), basis, n) };
    }
    basis = filtered(weightedRows(vectors, basis, n), weightedRows(vectors, image, n), values, times);
    before = wanted;
  }
}

/** Whether no eigenvalue that counts has moved. */
function isSettled(values: Float64Array, before: Float64Array | null): boolean {
  if (before === null) return false;
  return before.every((value, c) => Math.abs(values[c] - value) <= SETTLED * Math.max(values[c], SETTLED * values[0]));
}

/**
 * Rows with the eigenvectors of small eigenvalues, up to the smallest that was found, made small: T_m(2 G / b - I) of them.
 *
 * @param image the rows times G
 */
function filtered(
  rows: Float64Array,
  image: Float64Array,
  values: Float64Array,
  times: (rows: Float64Array) => Float64Array,
): Float64Array {
  const bound = Math.max(values[values.length - 1], SETTLED * values[0]);
  const degree = Math.floor(Math.log(MOST_RAISED) / Math.log((4 * values[0]) / bound));
  const shifted = (own: Float64Array, product: Float64Array) => product.map((value, k) => (2 / bound) * value - own[k]);
  let [last, next] = [rows, shifted(rows, image)];
  for (let m = 2; m <= Math.min(degree, MOST_DEGREE); m++) {
    const twice = shifted(next, times(next));
    for (let k = 0; k < twice.length; k++) twice[k] = 2 * twice[k] - last[k];
    [last, next] = [next, twice];
  }
  return next;
}
