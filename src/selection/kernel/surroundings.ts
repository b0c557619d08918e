import { normalizeRows } from '../../models/index.ts';

/** Distances over which coherence is read; at 1, two sentences of one statement would count. */
const LAGS = [2, 3, 4];
/** Coherence that documents of unrelated statements reach by chance, and the noise of a single pair. */
const CHANCE = { level: 0.02, perPair: 0.2 };
/** Coherence above chance at which the surroundings count in full. */
const FULL = 0.03;

/**
 * How far what stands around a point says what the point is about, in [0, 1]: how much more alike the points a few places
 * apart in a document are than any two points of the request. 1 in meetings and reports, 0 where documents mix unrelated
 * statements or are too short to tell.
 *
 * @param vectors sentence vectors in reading order, document after document
 * @param documents document number of each point
 */
export function coherence(vectors: readonly Float32Array[], documents: ArrayLike<number>): number {
  const n = vectors.length;
  if (n < 2) return 0;
  const dimensions = vectors[0].length;
  const mean = new Float64Array(dimensions);
  for (const vector of vectors) for (let c = 0; c < dimensions; c++) mean[c] += vector[c] / n;
  const apart = vectors.map((vector) =>
    normalizeRows(
      Float32Array.from(vector, (v, c) => v - mean[c]),
      1,
      dimensions,
    ),
  );

  let near = 0;
  let pairs = 0;
  for (const lag of LAGS) {
    for (let i = 0; i + lag < n; i++) {
      if (documents[i] !== documents[i + lag]) continue;
      near += dot(apart[i], apart[i + lag]);
      pairs++;
    }
  }
  if (pairs === 0) return 0;
  const total = new Float64Array(dimensions);
  for (const vector of apart) for (let c = 0; c < dimensions; c++) total[c] += vector[c];
  const any = (total.reduce((sum, t) => sum + t * t, 0) - n) / (n * (n - 1));
  const above = near / pairs - any - CHANCE.level - CHANCE.perPair / Math.sqrt(pairs);
  return Math.min(1, Math.max(0, above / FULL));
}

/**
 * Sums over the neighbours in the same document, the point itself included, weighted by exp(-distance / reach).
 *
 * @param rows one row of values per point, in reading order, document after document
 * @returns new rows
 */
export function spread(rows: readonly Float32Array[], documents: ArrayLike<number>, reach: number): Float32Array[] {
  const decay = Math.exp(-1 / reach);
  const width = rows[0]?.length ?? 0;
  const out = rows.map((row) => Float32Array.from(row));
  // Two passes of an exponential filter: what came before, then what comes after.
  const pass = (order: Iterable<number>): void => {
    const carry = new Float32Array(width);
    let previous = -1;
    for (const i of order) {
      if (previous < 0 || documents[previous] !== documents[i]) carry.fill(0);
      for (let c = 0; c < width; c++) {
        carry[c] *= decay;
        out[i][c] += carry[c];
        carry[c] += rows[i][c];
      }
      previous = i;
    }
  };
  pass(rows.keys());
  pass([...rows.keys()].reverse());
  return out;
}

/** Points over which a neighbour's weight falls to 1/e: of vectors, and of words, which are sparser. */
const REACH = { vectors: 4, words: 8 };

/** Unit vectors of what stands around each point, the point itself included. */
export function contextVectors(vectors: readonly Float32Array[], documents: ArrayLike<number>): Float32Array[] {
  return spread(vectors, documents, REACH.vectors).map((vector) => normalizeRows(vector, 1, vector.length));
}

/** Occurrences of a term at which it counts half. */
const HALF = 2;

/**
 * How many of the terms stand around each point, weighted by inverse document frequency, with diminishing returns for
 * repeated ones: sum_g idf(g) tf(g) / (tf(g) + 2) / sum_g idf(g), tf the occurrences around the point.
 *
 * @param occurs for each term, 1 or 0 for each point
 * @returns one value in [0, 1) per point
 */
export function termsAround(occurs: readonly Uint8Array[], n: number, documents: ArrayLike<number>): Float64Array {
  const weights = occurs.map((flags) => Math.log((n + 1) / (flags.reduce((sum, flag) => sum + flag, 0) + 1)));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const out = new Float64Array(n);
  if (total === 0) return out;
  const rows = Array.from({ length: n }, (_, i) => Float32Array.from(occurs, (flags) => flags[i]));
  spread(rows, documents, REACH.words).forEach((row, i) => {
    let sum = 0;
    for (let g = 0; g < row.length; g++) sum += (weights[g] * row[g]) / (row[g] + HALF);
    out[i] = sum / total;
  });
  return out;
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let c = 0; c < a.length; c++) sum += a[c] * b[c];
  return sum;
}
