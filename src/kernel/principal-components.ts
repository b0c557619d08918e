import { largestEigenpairs } from './largest-eigenpairs.ts';
import { weightedRows } from './weighted-rows.ts';

/** Vectors in the directions in which they differ most. */
export interface Projection {
  /** How many directions: as many as were asked for, or as there are. */
  readonly dimensions: number;
  /** Row-major n x dimensions: coordinates of each vector, less the mean, the direction of the largest variance first. */
  readonly coordinates: Float32Array;
  /** Share of the variance that lies in these directions; 1 where there is none. */
  readonly explained: number;
}

/** Share of the largest variance from which on a direction is one: what is less is rounding. */
const SMALLEST = 1e-12;

/**
 * Principal components (Pearson 1901) of vectors: exact to about six digits, and the same to the bit on every runtime and for any
 * order of the vectors. In each direction the largest component is positive, the first of several.
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
  const most = Math.min(dimensions, n - 1, d);
  if (total === 0 || most < 1)
    return { dimensions: 0, coordinates: new Float32Array(0), explained: total === 0 ? 1 : 0 };

  // Of d x d or n x n, whichever is smaller.
  const isWide = n < d;
  const [matrix, side, length] = isWide ? [rows, n, d] : [transposed(rows, n, d), d, n];
  const { values, vectors: found } = largestEigenpairs(matrix, length, most);
  const kept = values.filter((value) => value > SMALLEST * values[0]);
  const other = weightedRows(found.subarray(0, kept.length * side), matrix, length);

  const coordinates = new Float32Array(n * kept.length);
  kept.forEach((value, c) => {
    const direction = isWide ? other.subarray(c * d, (c + 1) * d) : found.subarray(c * d, (c + 1) * d);
    const along = isWide ? found.subarray(c * n, (c + 1) * n) : other.subarray(c * n, (c + 1) * n);
    const scale = signOf(direction) * (isWide ? Math.sqrt(value) : 1);
    order.forEach((vector, place) => {
      coordinates[vector * kept.length + c] = scale * along[place];
    });
  });
  const explained = Math.min(1, kept.reduce((sum, value) => sum + value, 0) / total);
  return { dimensions: kept.length, coordinates, explained };
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
