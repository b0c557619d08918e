import type { MatrixProduct, PreparedMatrix } from '../../models/index.ts';
import { clipSimilarity, type Similarity } from './similarity.ts';

/**
 * Cosine similarity of unit vectors.
 *
 * @param vectors row-major n x dimensions, unit rows
 */
export function cosineSimilarity(
  vectors: Float32Array,
  n: number,
  dimensions: number,
  product: MatrixProduct,
): Similarity {
  let laid: Promise<PreparedMatrix> | undefined;

  async function rows(indices: readonly number[]): Promise<Float32Array> {
    const left = new Float32Array(indices.length * dimensions);
    indices.forEach((index, row) => {
      left.set(vectors.subarray(index * dimensions, (index + 1) * dimensions), row * dimensions);
    });
    laid ??= product.prepare(vectors, n, dimensions);
    const right = await laid;
    const out = (await right.multiply(left, indices.length)).map(clipSimilarity);
    indices.forEach((index, row) => {
      out[row * n + index] = 1;
    });
    return out;
  }

  async function matrix(): Promise<Float32Array> {
    const out = await rows(Array.from({ length: n }, (_, i) => i));
    // A backend may round x.y and y.x apart; the upper triangle speaks for both.
    for (let i = 0; i < n; i++) for (let j = 0; j < i; j++) out[i * n + j] = out[j * n + i];
    return out;
  }

  return { n, matrix, rows };
}
