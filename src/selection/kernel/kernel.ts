import { type Memory, NO_MEMORY } from './memory.ts';
import { FLOAT, nthSmallest, offDiagonal, type Reference, readRows, rowsOnDemand } from './reference.ts';
import { indicesOf, type Similarity } from './similarity.ts';
import { dot } from './vectors.ts';

type Distance = (similarity: number) => number;

const euclideanDistance: Distance = (s) => Math.sqrt(Math.max(0, 2 - 2 * s));
const complementDistance: Distance = (s) => 1 - s;

function gaussian(distance: Distance, sigma: number): (similarity: number) => number {
  const scale = -1 / (2 * sigma * sigma);
  return (similarity) => {
    const d = distance(similarity);
    return Math.exp(scale * d * d);
  };
}

/** The median distance between different items, at least 1e-3; 1 without pairs. */
export function medianSigma(reference: Reference, distance: Distance): number {
  if (reference.n < 2) return 1;
  const values = offDiagonal(reference);
  // The median distance belongs to the median similarity, since distances fall as similarities rise.
  const middle = values.length >> 1;
  const own = distance(nthSmallest(values, middle));
  return Math.max(1e-3, values.length % 2 ? own : (distance(nthSmallest(values, middle - 1)) + own) / 2);
}

export interface Kernel {
  readonly n: number;
  readonly diagonal: Float64Array;
  readonly logQuality: Float64Array;
  row(i: number): Promise<Float64Array>;
  matrix(): Promise<Float64Array>;
  /** Whether L is positive semi-definite by construction. */
  readonly isPositive: boolean;
  readonly sigma: number | null;
}

export interface KernelOptions {
  readonly similarity: 'bertscore' | 'cosine';
  readonly form: 'gaussian' | 'linear';
  readonly sigma: number | 'median';
}

export interface Context {
  readonly similarity: Similarity;
  readonly share: number;
}

/** Max log q for L in full: an item of L_ii = e^120 is certain to be drawn, and its square is finite. */
const CERTAIN = 60;

/**
 * K over S, times a Gaussian of the distance of surroundings if they count.
 *
 * @param reference only needed for `sigma: "median"` and a context
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
  const distance = similarity === 'cosine' ? euclideanDistance : complementDistance;
  const median = async (): Promise<number> => medianSigma(needed(reference), distance);
  const asked = async () => (sigma === 'median' ? memory.keep('median distance', similarity, 0, median) : sigma);
  const width = form === 'gaussian' ? await asked() : null;
  const ofSimilarity = width === null ? (s: number) => s : gaussian(distance, width);
  const sameStretch =
    context === null || context.share === 0 ? null : await stretchRows(context, needed(reference), memory);

  async function makeRow(i: number): Promise<Float64Array> {
    const similarities = await rows(i);
    const row = Float64Array.from(similarities, ofSimilarity);
    if (sameStretch !== null)
      (await sameStretch(i)).forEach((factor, j) => {
        if (similarities[j] < 1) row[j] *= factor; // the same words are the same everywhere
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

/** The linear kernel in double precision: K = U U^T has the rank of U, which single precision would blur. */
export function vectorKernel(vectors: readonly Float32Array[], logQuality: Float64Array): Kernel {
  const rowOf = (i: number): Float64Array => Float64Array.from(vectors, (vector) => dot(vectors[i], vector));
  return {
    n: vectors.length,
    diagonal: Float64Array.from(vectors, (vector) => dot(vector, vector)),
    logQuality,
    isPositive: true,
    sigma: null,
    row: async (i) => rowOf(i),
    matrix: async () => weighted(indicesOf(vectors.length).map(rowOf), logQuality),
  };
}

/** K_ij = L_ij / sqrt(L_ii L_jj), 0 if L_ii L_jj = 0; q_i = sqrt(L_ii). @param values L, row-major n x n, symmetric, diagonal >= 0 */
export function givenKernel(values: Float64Array, n: number): Kernel {
  const scales = Float64Array.from({ length: n }, (_, i) => Math.sqrt(values[i * n + i]));
  return {
    n,
    diagonal: scales.map((scale) => (scale === 0 ? 0 : 1)),
    logQuality: scales.map((scale) => (scale === 0 ? 0 : Math.log(scale))),
    isPositive: false,
    sigma: null,
    row: async (i) =>
      scales.map((scale, j) => {
        if (scales[i] === 0 || scale === 0) return 0;
        // Divided one after the other, so that neither product nor quotient overflows.
        return i === j ? 1 : values[i * n + j] / scales[i] / scale;
      }),
    matrix: async () => values,
  };
}

/** Bound on the normalised entries of an indefinite kernel, which may exceed single precision. */
const FINITE = 1e30;

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
  return { n, rows };
}

export function finiteQuality(logQuality: Float64Array): Float64Array {
  return logQuality.map((log) => Math.exp(Math.min(log, CERTAIN)));
}

function weighted(rows: readonly Float64Array[], logQuality: Float64Array): Float64Array {
  const n = rows.length;
  const quality = finiteQuality(logQuality);
  const matrix = new Float64Array(n * n);
  rows.forEach((row, i) => {
    for (let j = 0; j < n; j++) matrix[i * n + j] = quality[i] * row[j] * quality[j];
  });
  return symmetrise(matrix, n);
}

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
    const read = await readRows(similarity, reference.indices);
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
