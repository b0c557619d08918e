import type { Encoding, MatrixProduct } from '../../models/index.ts';
import { type TokenMatrix, type TokenWeight, tokenMatrix } from './tokens.ts';

type Tokens = Pick<Encoding, 'tokens' | 'tokenIds'>;

interface TokenSupport {
  readonly recall: number;
  /** Lowest recall of any RUN consecutive tokens, which a mean over a long text hides; the overall recall if fewer. */
  readonly weakest: number;
  /** Lowest unweighted mean of two neighbouring tokens: a single missing word. */
  readonly worstPair: number;
}

/** Tokens of a run: about a short clause. Longer runs hide added claims, shorter ones punish a single new word. */
const RUN = 8;

/**
 * BERTScore recall (Zhang et al. 2020, equation 1): R = sum_t w(t) max_s x_t . y_s / sum_t w(t), tokens t of the hypothesis, s of all
 * premises. Equal weights if they sum to 0; zeros without tokens. Dot products are rounded to Float32, so premise order does not matter.
 */
export function tokenSupport(
  hypothesis: Tokens,
  premises: readonly Tokens[],
  dimensions: number,
  weight: TokenWeight,
): TokenSupport {
  const matches = bestMatches(hypothesis, premises, dimensions);
  const weights = Float64Array.from(hypothesis.tokenIds, weight);
  if (matches === null) return { recall: 0, weakest: 0, worstPair: 0 };
  if (weights.every((value) => value === 0)) weights.fill(1);
  const recall = weightedMean(matches, weights, 0, matches.length) ?? 0;
  let weakest = recall;
  for (let from = 0; from + RUN <= matches.length; from++) {
    weakest = Math.min(weakest, weightedMean(matches, weights, from, from + RUN) ?? weakest);
  }
  let worstPair = matches.length === 1 ? matches[0] : 1;
  for (let t = 1; t < matches.length; t++) worstPair = Math.min(worstPair, (matches[t - 1] + matches[t]) / 2);
  return { recall, weakest, worstPair };
}

function bestMatches(hypothesis: Tokens, premises: readonly Tokens[], dimensions: number): Float32Array | null {
  const left = tokenMatrix([hypothesis], dimensions);
  const right = tokenMatrix(premises, dimensions);
  const [m, n] = [left.tokenIds.length, right.tokenIds.length];
  if (m === 0 || n === 0) return null;
  const [own, others] = [left.vectors, right.vectors];
  const best = new Float32Array(m).fill(-1);
  for (let t = 0; t < m; t++) {
    const from = t * dimensions;
    for (let s = 0, at = 0; s < n; s++) {
      let product = 0;
      for (let c = from; c < from + dimensions; c++, at++) product += own[c] * others[at];
      best[t] = Math.max(best[t], Math.min(1, product));
    }
  }
  return best;
}

function weightedMean(values: Float32Array, weights: Float64Array, from: number, to: number): number | null {
  let [sum, total] = [0, 0];
  for (let t = from; t < to; t++) {
    sum += weights[t] * values[t];
    total += weights[t];
  }
  return total > 0 ? Math.max(-1, Math.min(1, sum / total)) : null;
}

export interface RecallTask {
  readonly dimensions: number;
  readonly reference: Tokens;
  /** One per token of the reference; all count the same if they sum to 0. */
  readonly weights: Float64Array;
  readonly texts: readonly Tokens[];
  readonly windows: readonly (readonly number[])[];
}

const ROWS = 2048;

/** @returns one recall in [-1, 1] per window; 0 if the reference or the window has no tokens */
export async function windowRecalls(
  { dimensions, reference, weights, texts, windows }: RecallTask,
  product: MatrixProduct,
): Promise<Float64Array> {
  const right = tokenMatrix([reference], dimensions);
  const left = tokenMatrix(texts, dimensions);
  const m = reference.tokenIds.length;
  if (m === 0 || left.tokenIds.length === 0) return new Float64Array(windows.length);
  const best = await bestPerText(left, right, product);
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

/** The highest cosine of each text with each token of the reference, row-major; -1 for texts without tokens. */
async function bestPerText(left: TokenMatrix, right: TokenMatrix, product: MatrixProduct): Promise<Float32Array> {
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
