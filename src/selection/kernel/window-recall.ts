import type { Encoding, MatrixProduct } from '../../models/index.ts';
import { type TokenMatrix, tokenMatrix } from './token-matrix.ts';

type Tokens = Pick<Encoding, 'tokens' | 'tokenIds'>;

/** A text, and where to look for its tokens: plain data that can go to another thread. */
export interface RecallTask {
  /** Length of a token vector. */
  readonly dimensions: number;
  readonly reference: Tokens;
  /** One per token of the reference; all count the same where they sum to 0. */
  readonly weights: Float64Array;
  readonly texts: readonly Tokens[];
  /** Each the places of the texts that are read as one. */
  readonly windows: readonly (readonly number[])[];
}

/** Rows of a product at a time: with a reference of 500 tokens 4 MiB. */
const ROWS = 2048;

/**
 * BERTScore recall (Zhang et al. 2020, equation 1, with weights w) of a reference in windows of texts:
 * R = sum_t w(t) max_s x_t . y_s / sum_t w(t), over the tokens t of the reference and s of all texts of a window.
 *
 * @returns one value in [-1, 1] per window; 0 where the reference or a window is without tokens
 */
export async function windowRecalls(
  { dimensions, reference, weights, texts, windows }: RecallTask,
  product: MatrixProduct,
): Promise<Float64Array> {
  const right = tokenMatrix([reference], dimensions);
  const left = tokenMatrix(texts, dimensions);
  const m = reference.tokenIds.length;
  if (m === 0 || left.tokenIds.length === 0) return new Float64Array(windows.length);
  const best = await bestMatches(left, right, product);
  const isEven = weights.every((weight) => weight === 0);
  return Float64Array.from(windows, (window) => {
    const filled = window.filter((text) => texts[text].tokenIds.length > 0);
    if (filled.length === 0) return 0;
    let [sum, total] = [0, 0];
    for (let t = 0; t < m; t++) {
      let most = -1;
      for (const text of filled) most = Math.max(most, best[text * m + t]);
      const weight = isEven ? 1 : weights[t];
      sum += weight * Math.min(1, most);
      total += weight;
    }
    return sum / total;
  });
}

/** For every text and token of the reference the highest cosine, row-major, texts x tokens; -1 for texts without tokens. */
async function bestMatches(left: TokenMatrix, right: TokenMatrix, product: MatrixProduct): Promise<Float32Array> {
  const { dimensions, offsets, vectors } = left;
  const m = right.tokenIds.length;
  const best = new Float32Array(left.n * m).fill(-1);
  const prepared = await product.prepare(right.vectors, m, dimensions);
  let text = 0;
  for (let from = 0; from < left.tokenIds.length; from += ROWS) {
    const to = Math.min(from + ROWS, left.tokenIds.length);
    const products = await prepared.multiply(vectors.subarray(from * dimensions, to * dimensions), to - from);
    for (let row = from; row < to; row++) {
      while (offsets[text + 1] <= row) text++;
      const base = text * m;
      for (let t = 0; t < m; t++) best[base + t] = Math.max(best[base + t], products[(row - from) * m + t]);
    }
  }
  return best;
}
