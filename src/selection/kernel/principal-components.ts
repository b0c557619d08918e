import { EigenvalueDecomposition, Matrix } from 'ml-matrix';
import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { weightedRows } from './weighted-rows.ts';

/** Rows of B, and numbers of each, that are gone through at a time: 128 kB, which stay in a processor's cache. */
const BLOCK = { rows: 64, length: 256 };

/**
 * A B^T of two matrices of rows that lie one after another: the inner product of every row of A with every row of B, in double
 * precision. Four rows by four at a time, so that each number read is used four times.
 *
 * @param a row-major, rows x length
 * @param b row-major, rows x length
 * @returns row-major, rows of a x rows of b
 */
function innerProducts(a: Float64Array, b: Float64Array, length: number): Float64Array {
  const rows = a.length / length;
  const columns = b.length / length;
  const products = new Float64Array(rows * columns);
  // Of a matrix with itself each product is found once.
  const isOwn = a === b;
  for (let from = 0; from < length; from += BLOCK.length) {
    const part = { length, from, to: Math.min(length, from + BLOCK.length) };
    for (let block = 0; block < columns; block += BLOCK.rows) {
      const end = Math.min(columns, block + BLOCK.rows);
      for (let i = 0; i < (isOwn ? end : rows); i += 4) {
        for (let j = isOwn ? Math.max(i, block) : block; j < end; j += 4) {
          if (i + 4 <= rows && j + 4 <= columns) fourByFour(a, b, part, i, j, products, columns);
          else oneByOne(a, b, part, i, j, products, columns);
        }
      }
    }
  }
  if (isOwn) mirror(products, rows);
  return products;
}

/** Which numbers of each row are multiplied. */
interface Part {
  readonly length: number;
  readonly from: number;
  readonly to: number;
}

function fourByFour(
  a: Float64Array,
  b: Float64Array,
  { length, from, to }: Part,
  row: number,
  column: number,
  products: Float64Array,
  columns: number,
): void {
  let [s00, s01, s02, s03, s10, s11, s12, s13] = [0, 0, 0, 0, 0, 0, 0, 0];
  let [s20, s21, s22, s23, s30, s31, s32, s33] = [0, 0, 0, 0, 0, 0, 0, 0];
  const [a0, a1, a2, a3] = [row * length, (row + 1) * length, (row + 2) * length, (row + 3) * length];
  const [b0, b1, b2, b3] = [column * length, (column + 1) * length, (column + 2) * length, (column + 3) * length];
  for (let k = from; k < to; k++) {
    const x0 = a[a0 + k];
    const x1 = a[a1 + k];
    const x2 = a[a2 + k];
    const x3 = a[a3 + k];
    const y0 = b[b0 + k];
    const y1 = b[b1 + k];
    const y2 = b[b2 + k];
    const y3 = b[b3 + k];
    s00 += x0 * y0;
    s01 += x0 * y1;
    s02 += x0 * y2;
    s03 += x0 * y3;
    s10 += x1 * y0;
    s11 += x1 * y1;
    s12 += x1 * y2;
    s13 += x1 * y3;
    s20 += x2 * y0;
    s21 += x2 * y1;
    s22 += x2 * y2;
    s23 += x2 * y3;
    s30 += x3 * y0;
    s31 += x3 * y1;
    s32 += x3 * y2;
    s33 += x3 * y3;
  }
  add(products, row * columns + column, s00, s01, s02, s03);
  add(products, (row + 1) * columns + column, s10, s11, s12, s13);
  add(products, (row + 2) * columns + column, s20, s21, s22, s23);
  add(products, (row + 3) * columns + column, s30, s31, s32, s33);
}

function add(products: Float64Array, at: number, s0: number, s1: number, s2: number, s3: number): void {
  products[at] += s0;
  products[at + 1] += s1;
  products[at + 2] += s2;
  products[at + 3] += s3;
}

/** The products of up to four rows by four, at the edges. */
function oneByOne(
  a: Float64Array,
  b: Float64Array,
  { length, from, to }: Part,
  row: number,
  column: number,
  products: Float64Array,
  columns: number,
): void {
  const rows = a.length / length;
  for (let i = row; i < Math.min(rows, row + 4); i++) {
    for (let j = column; j < Math.min(columns, column + 4); j++) {
      let sum = 0;
      for (let k = from; k < to; k++) sum += a[i * length + k] * b[j * length + k];
      products[i * columns + j] += sum;
    }
  }
}

/** Copies what is above the diagonal below it. */
function mirror(matrix: Float64Array, n: number): void {
  for (let i = 0; i < n; i++) for (let j = 0; j < i; j++) matrix[i * n + j] = matrix[j * n + i];
}

/** Share of its length that a row keeps where little of it lay along others: what is left is no rounding then. */
const KEPT = 0.5;
/** A row that goes on to vanish is a combination of those before it. */
const MAX_PASSES = 5;

/**
 * Makes rows orthogonal to those before them, and of unit length, in place: by Gram-Schmidt, again where most of a row went, since
 * what is left then is rounding that points anywhere (Giraud et al. 2005, section 3). A row that is a combination of those before it
 * becomes another direction, or zero.
 *
 * @param rows row-major, rows x length
 */
function orthonormalise(rows: Float64Array, length: number): void {
  for (let own = 0; own < rows.length; own += length) {
    normalise(rows, own, length);
    let left = 0;
    for (let pass = 0; pass < MAX_PASSES && left < KEPT; pass++) {
      for (let other = 0; other < own; other += length) {
        let along = 0;
        for (let k = 0; k < length; k++) along += rows[own + k] * rows[other + k];
        for (let k = 0; k < length; k++) rows[own + k] -= along * rows[other + k];
      }
      left = normalise(rows, own, length);
    }
    if (left < KEPT) rows.fill(0, own, own + length);
  }
}

/** Scales a row to unit length, unless it is zero. @returns the length that it had */
function normalise(rows: Float64Array, from: number, length: number): number {
  let squares = 0;
  for (let k = 0; k < length; k++) squares += rows[from + k] ** 2;
  const norm = Math.sqrt(squares);
  if (norm > 0) for (let k = 0; k < length; k++) rows[from + k] /= norm;
  return norm;
}

/** Eigenvalues, the largest first, and an eigenvector of unit length for each. */
interface Eigenpairs {
  readonly values: Float64Array;
  /** Row-major, one eigenvector a row. */
  readonly vectors: Float64Array;
}

/** Rows up to which all eigenvectors are found at once: in 10 ms. */
const WHOLE = 128;
/** Directions beside those that are wanted: the more, the faster those settle. */
const BESIDE = 16;
/** Turns at most, and the share of itself that no wanted eigenvalue may have changed by in the last. */
const MAX_TURNS = 20;
const SETTLED = 1e-7;
/** How much more a filter may raise one direction than another, so that rounding does not drown the other, and its degree at most. */
const MAX_RAISED = 1e8;
const MAX_DEGREE = 8;
const SEED = 20_261_121;

/**
 * The largest eigenvalues of A A^T, and their eigenvectors. Up to 128 rows exactly; else by randomised subspace iteration with
 * Rayleigh-Ritz (Halko, Martinsson & Tropp 2011, algorithms 4.4 and 5.3), each turn of which raises what is wanted above the
 * rest by a Chebyshev polynomial (Zhou, Saad, Tiago & Chelikowsky 2006), until they settle. The start is always the same.
 *
 * @param a row-major, rows x length
 * @param count how many pairs; as many as there are rows at most
 */
function largestEigenpairs(a: Float64Array, length: number, count: number): Eigenpairs {
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
    const leading = values.subarray(0, count);
    if (turn >= MAX_TURNS || isSettled(leading, before)) {
      return { values: leading, vectors: weightedRows(vectors.subarray(0, count * width), basis, n) };
    }
    basis = filtered(weightedRows(vectors, basis, n), weightedRows(vectors, image, n), values, times);
    before = leading;
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
  const degree = Math.floor(Math.log(MAX_RAISED) / Math.log((4 * values[0]) / bound));
  const shifted = (own: Float64Array, product: Float64Array) => product.map((value, k) => (2 / bound) * value - own[k]);
  let [last, next] = [rows, shifted(rows, image)];
  for (let m = 2; m <= Math.min(degree, MAX_DEGREE); m++) {
    const twice = shifted(next, times(next));
    for (let k = 0; k < twice.length; k++) twice[k] = 2 * twice[k] - last[k];
    [last, next] = [next, twice];
  }
  return next;
}

/** Vectors in the directions in which they differ most. */
export interface Projection {
  /** How many directions: as many as were asked for, or as there are. */
  readonly dimensions: number;
  /** Row-major n x dimensions: coordinates of each vector, less the mean, the direction of the largest variance first. */
  readonly coordinates: Float32Array;
  /** Share of the variance that lies in these directions; 1 where there is none. */
  readonly explained: number;
}

/** Values of the vectors that the directions are found from: those of 1,300 points of 1,536 dimensions take about a second. */
const MAX_FITTED = 2_000_000;
/** Share of the largest variance from which on a direction is one: what is less is rounding. */
const SMALLEST = 1e-12;

/**
 * Principal components (Pearson 1901) of vectors: exact to about six digits, and the same to the bit on every runtime and for any
 * order of the vectors. In each direction the largest component is positive, the first of several. Of very many the directions are
 * those of vectors spread evenly over all, so that the time is bounded; the mean and the coordinates are of all.
 *
 * @param vectors of one length
 * @param dimensions most directions
 */
export function principalComponents(vectors: readonly Float32Array[], dimensions: number): Projection {
  const n = vectors.length;
  const d = vectors[0]?.length ?? 0;
  // Sums do not depend on the order then.
  const order = [...vectors.keys()].sort((i, j) => compare(vectors[i], vectors[j]));
  const rows = centred(
    order.map((i) => vectors[i]),
    d,
  );
  const total = rows.reduce((sum, value) => sum + value * value, 0);
  const step = Math.ceil((n * d) / MAX_FITTED);
  const fitted = step === 1 ? rows : everyOther(rows, d, step);
  const directions = directionsOf(fitted, d, dimensions);
  const count = directions.length / d;
  if (total === 0 || count === 0) {
    return { dimensions: 0, coordinates: new Float32Array(0), explained: total === 0 ? 1 : 0 };
  }
  const coordinates = new Float32Array(n * count);
  let kept = 0;
  order.forEach((vector, place) => {
    for (let c = 0; c < count; c++) {
      let sum = 0;
      for (let k = 0, r = place * d, q = c * d; k < d; k++, r++, q++) sum += rows[r] * directions[q];
      coordinates[vector * count + c] = sum;
      kept += sum * sum;
    }
  });
  return { dimensions: count, coordinates, explained: Math.min(1, kept / total) };
}

/**
 * Unit vectors along which rows vary most, one after another, the largest component of each positive.
 *
 * @param rows less their mean, row-major n x d
 */
function directionsOf(rows: Float64Array, d: number, dimensions: number): Float64Array {
  const n = d === 0 ? 0 : rows.length / d;
  const most = Math.min(dimensions, n - 1, d);
  if (most < 1 || rows.every((value) => value === 0)) return new Float64Array(0);
  // Of d x d or n x n, whichever is smaller.
  const isWide = n < d;
  const [matrix, side, length] = isWide ? [rows, n, d] : [transposed(rows, n, d), d, n];
  const { values, vectors: found } = largestEigenpairs(matrix, length, most);
  const kept = values.filter((value) => value > SMALLEST * values[0]);
  const directions = isWide
    ? weightedRows(found.subarray(0, kept.length * side), matrix, length)
    : found.slice(0, kept.length * d);
  for (let c = 0; c < kept.length; c++) {
    const direction = directions.subarray(c * d, (c + 1) * d);
    const length = Math.hypot(...direction) * signOf(direction);
    for (let k = 0; k < d; k++) direction[k] /= length;
  }
  return directions;
}

/** Every so many rows, from the first on. */
function everyOther(rows: Float64Array, d: number, step: number): Float64Array {
  const n = rows.length / d;
  const out = new Float64Array(Math.ceil(n / step) * d);
  for (let i = 0, at = 0; i < n; i += step, at += d) out.set(rows.subarray(i * d, (i + 1) * d), at);
  return out;
}

/** Component by component. */
function compare(a: Float32Array, b: Float32Array): number {
  for (let c = 0; c < a.length; c++) if (a[c] !== b[c]) return a[c] - b[c];
  return 0;
}

/** The vectors less their mean, one after another. */
function centred(vectors: readonly Float32Array[], d: number): Float64Array {
  const mean = new Float64Array(d);
  for (const vector of vectors) for (let c = 0; c < d; c++) mean[c] += vector[c];
  const rows = new Float64Array(vectors.length * d);
  vectors.forEach((vector, i) => {
    for (let c = 0; c < d; c++) rows[i * d + c] = vector[c] - mean[c] / vectors.length;
  });
  return rows;
}

function transposed(rows: Float64Array, n: number, d: number): Float64Array {
  const columns = new Float64Array(rows.length);
  for (let i = 0; i < n; i++) for (let c = 0; c < d; c++) columns[c * n + i] = rows[i * d + c];
  return columns;
}

/** 1 where the largest component is positive, else -1. */
function signOf(direction: Float64Array): number {
  let largest = 0;
  for (const value of direction) if (Math.abs(value) > Math.abs(largest)) largest = value;
  return largest < 0 ? -1 : 1;
}
