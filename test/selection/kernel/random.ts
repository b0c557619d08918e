import { normalizeRows } from '../../../src/models/index.ts';
import type { Similarity } from '../../../src/selection/index.ts';
import type { Reference } from '../../../src/selection/kernel/reference.ts';

/** Seeded random numbers, so that a test that fails fails again. */
export interface Random {
  /** In [0, 1). */
  next(): number;
  /** Whole number from 0 up to `below`. */
  below(below: number): number;
  /** Standard normal. */
  normal(): number;
  /** A random order of 0..n-1. */
  permutation(n: number): number[];
}

/** mulberry32. */
export function seeded(seed: number): Random {
  let state = seed | 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  return {
    next,
    below,
    normal: () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next()),
    permutation(n) {
      const order = Array.from({ length: n }, (_, i) => i);
      for (let i = n - 1; i > 0; i--) {
        const j = below(i + 1);
        [order[i], order[j]] = [order[j], order[i]];
      }
      return order;
    },
  };
}

/** Rows x columns normal values. */
export function normals(random: Random, length: number): Float32Array {
  return Float32Array.from({ length }, () => random.normal());
}

/** Random unit vectors, row-major. */
export function unitRows(random: Random, rows: number, columns: number): Float32Array {
  return normalizeRows(normals(random, rows * columns), rows, columns);
}

/** Random unit vectors, one array each. */
export function unitVectors(random: Random, rows: number, columns: number): Float32Array[] {
  return Array.from({ length: rows }, () => unitRows(random, 1, columns));
}

/** A reference of all items over a row-major matrix. */
export function fullReference(similarities: ArrayLike<number>, n: number): Reference {
  return {
    n,
    indices: Array.from({ length: n }, (_, i) => i),
    similarities: Float32Array.from(similarities),
  };
}

/** A reference of some items over a row-major n x n matrix. */
export function landmarkReference(matrix: ArrayLike<number>, n: number, indices: readonly number[]): Reference {
  const similarities = new Float32Array(indices.length * n);
  indices.forEach((index, r) => {
    for (let i = 0; i < n; i++) similarities[r * n + i] = matrix[index * n + i];
  });
  return { n, indices, similarities };
}

/** A symmetric matrix with 1 on the diagonal and random values in [-1, 1] beside it, row-major. */
export function randomSimilarities(random: Random, n: number): Float32Array {
  const matrix = new Float32Array(n * n);
  for (let i = 0; i < n; i++) {
    matrix[i * n + i] = 1;
    for (let j = 0; j < i; j++) {
      matrix[i * n + j] = 2 * random.next() - 1;
      matrix[j * n + i] = matrix[i * n + j];
    }
  }
  return matrix;
}

/** All rows of a similarity. */
export function matrixOf({ n, rows }: Similarity): Promise<Float32Array> {
  return rows(Array.from({ length: n }, (_, i) => i));
}

/** A similarity that is given as a matrix. */
export function givenSimilarity(matrix: Float32Array, n: number): Similarity {
  return {
    n,
    rows: async (indices) => landmarkReference(matrix, n, indices).similarities,
  };
}

/** Largest absolute difference; Infinity where lengths differ or a value is NaN. */
export function furthest(a: ArrayLike<number>, b: ArrayLike<number>): number {
  if (a.length !== b.length) return Number.POSITIVE_INFINITY;
  let most = 0;
  for (let k = 0; k < a.length; k++) {
    const apart = Object.is(a[k], b[k]) ? 0 : Math.abs(a[k] - b[k]);
    if (!(apart <= most)) most = Number.isNaN(apart) ? Number.POSITIVE_INFINITY : apart;
  }
  return most;
}

/** Dot product in double precision. */
export function dot(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let sum = 0;
  for (let c = 0; c < a.length; c++) sum += a[c] * b[c];
  return sum;
}
