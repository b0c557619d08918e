import { normalizeRows } from '../linear-algebra/normalize-rows.ts';

/** Key points over which the weight of a neighbour falls to 1/e. */
const REACH = 4;

/**
 * Vectors of what stands around each point in its document, the point itself included: the sum of the neighbours' unit
 * vectors, weighted by exp(-distance / REACH), scaled to unit length.
 *
 * @param vectors unit sentence vectors in reading order, document after document
 * @param documents document number of each point
 */
export function contextVectors(vectors: readonly Float32Array[], documents: ArrayLike<number>): Float32Array[] {
  const decay = Math.exp(-1 / REACH);
  const dimensions = vectors[0]?.length ?? 0;
  // Two passes of an exponential filter: what came before, then what comes after.
  const out = vectors.map((vector) => Float32Array.from(vector));
  const carry = new Float32Array(dimensions);
  const pass = (order: Iterable<number>): void => {
    let previous = -1;
    for (const i of order) {
      if (previous < 0 || documents[previous] !== documents[i]) carry.fill(0);
      for (let c = 0; c < dimensions; c++) {
        carry[c] *= decay;
        out[i][c] += carry[c];
        carry[c] += vectors[i][c];
      }
      previous = i;
    }
  };
  pass(vectors.keys());
  pass([...vectors.keys()].reverse());
  for (const vector of out) normalizeRows(vector, 1, dimensions);
  return out;
}

/** Distances over which autocorrelation is read; at 1, two sentences of one statement would count. */
const LAGS = [2, 3, 4];
/** What a text is taken for before it is read, and the number of pairs that this belief is worth. */
const PRIOR = { correlation: 0.15, pairs: 50 };
/** Correlation from which the surroundings count in full. */
const FULL = 0.12;

/**
 * How far relevance runs in stretches, in [0, 1]: its autocorrelation along the documents, shrunk towards that of ordinary
 * prose where there is little to read. Near 0 where documents mix unrelated statements, 1 in meetings and reports.
 *
 * @param relevance of each point, in reading order, document after document
 */
export function locality(relevance: Float64Array, documents: ArrayLike<number>): number {
  const n = relevance.length;
  if (n === 0) return 0;
  const mean = relevance.reduce((sum, r) => sum + r, 0) / n;
  const variance = relevance.reduce((sum, r) => sum + (r - mean) ** 2, 0) / n;
  if (variance === 0) return 0;
  let sum = PRIOR.correlation * PRIOR.pairs;
  let pairs = PRIOR.pairs;
  for (const lag of LAGS) {
    for (let i = 0; i + lag < n; i++) {
      if (documents[i] !== documents[i + lag]) continue;
      sum += ((relevance[i] - mean) * (relevance[i + lag] - mean)) / variance / LAGS.length;
      pairs += 1 / LAGS.length;
    }
  }
  return Math.min(1, Math.max(0, sum / pairs / FULL));
}
