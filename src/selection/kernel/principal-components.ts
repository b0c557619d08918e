import { product, transposed } from '../dpp/low-rank.ts';
import { symmetricEigen } from '../dpp/symmetric-eigen.ts';
import { addTo, dot } from './vectors.ts';

export interface Projection {
  readonly dimensions: number;
  /** Row-major n x dimensions: coordinates of each vector minus the mean, along the direction of largest variance first. */
  readonly coordinates: Float32Array;
  readonly explained: number;
}

/** Max numbers that directions are fitted to: with 1,536 dimensions 651 vectors, about 0.6 s. */
const MAX_FITTED = 1_000_000;
const SMALLEST = 1e-12;

/**
 * Principal components (Pearson 1901), bit-identical on every runtime and in any order of the vectors; the largest component of each
 * is positive. Above MAX_FITTED numbers, an evenly spread sample is fitted.
 */
export function principalComponents(vectors: readonly Float32Array[], dimensions: number): Projection {
  const n = vectors.length;
  const d = vectors[0]?.length ?? 0;
  const order = [...vectors.keys()].sort((i, j) => compare(vectors[i], vectors[j])); // makes sums independent of the order
  const rows = centred(
    order.map((i) => vectors[i]),
    d,
  );
  const total = rows.reduce((sum, value) => sum + value * value, 0);
  const step = Math.ceil((n * d) / MAX_FITTED);
  const directions = directionsOf(step > 1 ? everyOther(rows, d, step) : rows, d, dimensions);
  const count = directions.length;
  if (total === 0 || count === 0) {
    return { dimensions: 0, coordinates: new Float32Array(0), explained: total === 0 ? 1 : 0 };
  }
  const coordinates = new Float32Array(n * count);
  let kept = 0;
  order.forEach((vector, place) => {
    const row = rows.subarray(place * d, (place + 1) * d);
    directions.forEach((direction, c) => {
      const along = dot(row, direction);
      coordinates[vector * count + c] = along;
      kept += along * along;
    });
  });
  return { dimensions: count, coordinates, explained: Math.min(1, kept / total) };
}

/** Unit vectors, the largest variance first. @param rows minus their mean, row-major n x d */
function directionsOf(rows: Float64Array, d: number, dimensions: number): Float64Array[] {
  const n = d === 0 ? 0 : rows.length / d;
  const most = Math.min(dimensions, n - 1, d);
  if (most < 1 || rows.every((value) => value === 0)) return [];
  const isWide = n < d;
  const side = isWide ? n : d;
  const sides = isWide ? rows : transposed(rows, n, d);
  const { values, vectors } = symmetricEigen(product(sides, side, sides, side, isWide ? d : n), side);
  const order = [...values.keys()].sort((i, j) => values[j] - values[i]).slice(0, most);
  const kept = order.filter((j) => values[j] > SMALLEST * values[order[0]]);
  return kept.map((j) => {
    const vector = Float64Array.from({ length: side }, (_, i) => vectors[i * side + j]);
    return scaled(isWide ? combined(vector, rows, d) : vector);
  });
}

function combined(weights: Float64Array, rows: Float64Array, d: number): Float64Array {
  const sum = new Float64Array(d);
  weights.forEach((weight, i) => {
    addTo(sum, rows.subarray(i * d, (i + 1) * d), weight);
  });
  return sum;
}

function scaled(direction: Float64Array): Float64Array {
  let largest = 0;
  for (const value of direction) if (Math.abs(value) > Math.abs(largest)) largest = value;
  const length = Math.hypot(...direction) * (largest < 0 ? -1 : 1);
  return direction.map((value) => value / length);
}

function everyOther(rows: Float64Array, d: number, step: number): Float64Array {
  const n = rows.length / d;
  const out = new Float64Array(Math.ceil(n / step) * d);
  for (let i = 0, at = 0; i < n; i += step, at += d) out.set(rows.subarray(i * d, (i + 1) * d), at);
  return out;
}

function compare(a: Float32Array, b: Float32Array): number {
  for (let c = 0; c < a.length; c++) if (a[c] !== b[c]) return a[c] - b[c];
  return 0;
}

function centred(vectors: readonly Float32Array[], d: number): Float64Array {
  const mean = new Float64Array(d);
  for (const vector of vectors) addTo(mean, vector);
  const rows = new Float64Array(vectors.length * d);
  vectors.forEach((vector, i) => {
    for (let c = 0; c < d; c++) rows[i * d + c] = vector[c] - mean[c] / vectors.length;
  });
  return rows;
}
