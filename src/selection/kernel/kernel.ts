import { type Memory, NO_MEMORY } from './memory.ts';
import { nthSmallest } from './nth-smallest.ts';
import { type Reference, readRows } from './reference.ts';
import { FLOAT, rowsOnDemand } from './rows-on-demand.ts';
import type { Similarity } from './similarity.ts';
import { dot } from './vectors.ts';

/** From similarity to distance: |u_i - u_j| for cosine, 1 - S for BERTScore (the paper does not spell it out). */
type Distance = (similarity: number) => number;

export const euclideanDistance: Distance = (s) => Math.sqrt(Math.max(0, 2 - 2 * s));
export const complementDistance: Distance = (s) => 1 - s;

/** K_ij = exp(-distance^2 / (2 sigma^2)). */
export function gaussian(distance: Distance, sigma: number): (similarity: number) => number {
  const scale = -1 / (2 * sigma * sigma);
  return (similarity) => {
    const d = distance(similarity);
    return Math.exp(scale * d * d);
  };
}

/** The median distance between different items, at least 1e-3; 1 where there is no pair. */
export function medianSigma({ n, indices, similarities }: Reference, distance: Distance): number {
  if (n < 2) return 1;
  const distances = new Float64Array(indices.length * (n - 1));
  let at = 0;
  indices.forEach((index, r) => {
    for (let i = 0; i < n; i++) if (i !== index) distances[at++] = distance(similarities[r * n + i]);
  });
  const middle = distances.length >> 1;
  const upper = nthSmallest(distances, middle);
  const median = distances.length % 2 ? upper : (nthSmallest(distances, middle - 1) + upper) / 2;
  return Math.max(1e-3, median);
}

/** L = diag(q) K diag(q) over n items, row by row. */
export interface Kernel {
  readonly n: number;
  /** K_ii. */
  readonly diagonal: Float64Array;
  /** log q_i. */
  readonly logQuality: Float64Array;
  /** Row i of K; not to be changed. */
  row(i: number): Promise<Float64Array>;
  /** The whole of L, row-major n x n, exactly symmetric. */
  matrix(): Promise<Float64Array>;
  /** Whether L is positive semi-definite by construction. */
  readonly isPositive: boolean;
  /** The width of a Gaussian; null for others. */
  readonly sigma: number | null;
}

export interface KernelOptions {
  readonly similarity: 'bertscore' | 'cosine';
  readonly form: 'gaussian' | 'linear';
  readonly sigma: number | 'median';
}

/** Similarity of what stands around the points, and how far it counts, in [0, 1]. */
export interface Context {
  readonly similarity: Similarity;
  readonly share: number;
}

/** log q up to which L is made whole: an item of L_ii = e^120 is certain to be drawn, and its square is still a number. */
const CERTAIN = 60;

/** From similarity to distance: |u_i - u_j| for cosine, 1 - S for BERTScore (the paper does not spell it out). */
export function distanceOf(similarity: KernelOptions['similarity']): Distance {
  return similarity === 'cosine' ? euclideanDistance : complementDistance;
}

/**
 * K over S, and, as far as the surroundings count, times a Gaussian of how far apart the surroundings are: in a transcript
 * two points from one stretch are more of the same than their words say.
 *
 * @param reference where the median distance is read; only needed for `sigma: "median"` and a context
 * @param rows rows of S
 * @param memory for what depends on the reference and the context alone
 */
export async function similarityKernel(
  rows: (i: number) => Promise<Float32Array>,
  reference: Reference | null,
  context: Context | null,
  logQuality: Float64Array,
  { similarity, form, sigma }: KernelOptions,
  memory: Memory = NO_MEMORY,
): Promise<Kernel> {
  const n = logQuality.length;
  const distance = distanceOf(similarity);
  const median = async (): Promise<number> => medianSigma(needed(reference), distance);
  const asked = async (): Promise<number> =>
    sigma === 'median' ? memory.keep('median distance', similarity, 0, median) : sigma;
  const width = form === 'gaussian' ? await asked() : null;
  const ofSimilarity = width === null ? (s: number) => s : gaussian(distance, width);
  const sameStretch =
    context === null || context.share === 0 ? null : await stretchRows(context, needed(reference), memory);

  async function makeRow(i: number): Promise<Float64Array> {
    const similarities = await rows(i);
    const row = Float64Array.from(similarities, ofSimilarity);
    if (sameStretch !== null)
      (await sameStretch(i)).forEach((factor, j) => {
        if (similarities[j] < 1) row[j] *= factor; // the same words are the same wherever they stand
      });
    return row;
  }

  const known = new Map<number, Promise<Float64Array>>();
  return {
    n,
    diagonal: new Float64Array(n).fill(1),
    logQuality,
    isPositive: similarity === 'cosine' && sameStretch === null,
    sigma: width,
    row(i) {
      const row = known.get(i) ?? makeRow(i);
      known.set(i, row);
      return row;
    },
    async matrix() {
      const rows: Float64Array[] = [];
      for (let i = 0; i < n; i++) rows.push(await (known.get(i) ?? makeRow(i)));
      return weighted(rows, logQuality);
    },
  };
}

/**
 * The linear kernel of vectors, in double precision: K = U U^T has the rank of U, which single precision would blur.
 *
 * @param vectors of the same length
 */
export function vectorKernel(vectors: readonly Float32Array[], logQuality: Float64Array): Kernel {
  const n = vectors.length;
  const rowOf = (i: number): Float64Array => Float64Array.from(vectors, (vector) => dot(vectors[i], vector));
  return {
    n,
    diagonal: Float64Array.from(vectors, (vector) => dot(vector, vector)),
    logQuality,
    isPositive: true,
    sigma: null,
    row: async (i) => rowOf(i),
    matrix: async () =>
      weighted(
        Array.from({ length: n }, (_, i) => rowOf(i)),
        logQuality,
      ),
  };
}

/**
 * A kernel that is given as L: K_ij = L_ij / sqrt(L_ii L_jj), 0 where L_ii L_jj = 0, and q_i = sqrt(L_ii).
 *
 * @param values row-major n x n, exactly symmetric, no negative diagonal entry
 */
export function givenKernel(values: Float64Array, n: number): Kernel {
  const scales = Float64Array.from({ length: n }, (_, i) => Math.sqrt(values[i * n + i]));
  return {
    n,
    diagonal: scales.map((scale) => (scale === 0 ? 0 : 1)),
    logQuality: scales.map((scale) => (scale === 0 ? 0 : Math.log(scale))),
    isPositive: false,
    sigma: null,
    row: async (i) => normalisedRow(values, scales, i),
    matrix: async () => values,
  };
}

/** Row i of L_ij / sqrt(L_ii L_jj): divided one after the other, so that neither product nor quotient leaves the range. */
function normalisedRow(values: Float64Array, scales: Float64Array, i: number): Float64Array {
  const n = scales.length;
  return Float64Array.from({ length: n }, (_, j) => {
    if (scales[i] === 0 || scales[j] === 0) return 0;
    return i === j ? 1 : values[i * n + j] / scales[i] / scales[j];
  });
}

/** Entries of an indefinite kernel may be larger, once normalised, than single precision holds. */
const FINITE = 1e30;

/** Similarity of a given kernel: its K, in single precision. */
export function givenSimilarity(kernel: Kernel): Similarity {
  const { n } = kernel;
  async function rows(indices: readonly number[]): Promise<Float32Array> {
    const out = new Float32Array(indices.length * n);
    for (const [r, index] of indices.entries()) {
      const row = await kernel.row(index);
      for (let j = 0; j < n; j++) out[r * n + j] = Math.min(FINITE, Math.max(-FINITE, row[j]));
    }
    return out;
  }
  return { n, rows, matrix: () => rows(Array.from({ length: n }, (_, i) => i)) };
}

/** q_i as numbers that L can be made of. */
export function finiteQuality(logQuality: Float64Array): Float64Array {
  return logQuality.map((log) => Math.exp(Math.min(log, CERTAIN)));
}

/** L of the rows of K, exactly symmetric. */
function weighted(rows: readonly Float64Array[], logQuality: Float64Array): Float64Array {
  const n = rows.length;
  const quality = finiteQuality(logQuality);
  const matrix = new Float64Array(n * n);
  rows.forEach((row, i) => {
    for (let j = 0; j < n; j++) matrix[i * n + j] = quality[i] * row[j] * quality[j];
  });
  return symmetrise(matrix, n);
}

/** The mean of a matrix and its transpose, in place. */
export function symmetrise(matrix: Float64Array, n: number): Float64Array {
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < i; j++) {
      const mean = matrix[i * n + j] / 2 + matrix[j * n + i] / 2;
      matrix[i * n + j] = mean;
      matrix[j * n + i] = mean;
    }
  }
  return matrix;
}

async function stretchRows(
  { similarity, share }: Context,
  reference: Reference,
  memory: Memory,
): Promise<(i: number) => Promise<Float32Array>> {
  const { contexts, median } = await memory.keep('contexts', '', reference.similarities.length * FLOAT, async () => {
    const read = await readRows(similarity, reference);
    return { contexts: read, median: medianSigma(read, complementDistance) };
  });
  const rows = rowsOnDemand(similarity, contexts, memory, 'context');
  const alike = gaussian(complementDistance, median);
  return async (i) => (await rows(i)).map((s) => alike(s) ** share);
}

function needed(reference: Reference | null): Reference {
  if (reference === null) throw new TypeError('this kernel needs a reference');
  return reference;
}
