import { type Encoding, type MatrixProduct, normalizeRows } from '../../models/index.ts';
import { supportOf } from '../../text/index.ts';
import { partsOf, tokenBlocks, tokenMatrix } from './tokens.ts';

type Tokens = Pick<Encoding, 'tokens' | 'tokenIds'>;

/** Tokens of a run: about a short clause. Longer runs hide added claims, shorter ones punish a single new word. */
const RUN = 8;

/**
 * BERTScore recall (Zhang et al. 2020, equation 1): R = sum_t w(t) max_s x_t . y_s / sum_t w(t), tokens t of the hypothesis, s of all
 * premises. Equal weights if they sum to 0; zeros without tokens. Dot products are rounded to Float32, so premise order does not matter.
 *
 * @returns also the lowest recall of any RUN consecutive tokens (`weakest`), which a mean over a long text hides, and the lowest
 *   unweighted mean of two neighbouring tokens (`worstPair`): a single missing word
 */
export function tokenSupport(
  hypothesis: Tokens,
  premises: readonly Tokens[],
  dimensions: number,
  weight: (id: number) => number,
) {
  const matches = bestMatches(hypothesis, premises, dimensions);
  if (matches === null) return { recall: 0, weakest: 0, worstPair: 0 };
  let worstPair = matches.length === 1 ? matches[0] : 1;
  for (let t = 1; t < matches.length; t++) worstPair = Math.min(worstPair, (matches[t - 1] + matches[t]) / 2);
  return { ...supportOf(matches, Array.from(hypothesis.tokenIds, weight), RUN), worstPair };
}

function bestMatches(hypothesis: Tokens, premises: readonly Tokens[], dimensions: number): Float32Array | null {
  const [own, others] = [[hypothesis], premises].map((texts) => {
    const { tokens, tokenIds } = tokenMatrix(texts, dimensions);
    return normalizeRows(Float32Array.from(tokens), tokenIds.length, dimensions);
  });
  if (own.length === 0 || others.length === 0) return null;
  return Float32Array.from(hypothesis.tokenIds, (_, t) => {
    let best = -1;
    for (let at = 0; at < others.length; ) {
      let product = 0;
      for (let c = t * dimensions; c < (t + 1) * dimensions; c++, at++) product += own[c] * others[at];
      best = Math.max(best, Math.min(1, product));
    }
    return best;
  });
}

export interface RecallTask {
  readonly dimensions: number;
  readonly reference: Tokens;
  /** One per token of the reference; all count the same if they sum to 0. */
  readonly weights: Float64Array;
  readonly texts: readonly Tokens[];
  readonly windows: readonly (readonly number[])[];
}

/** Tokens compared at a time. */
const PART_TOKENS = 2048;

/** @returns one recall in [-1, 1] per window; 0 if the reference or the window has no tokens */
export async function windowRecalls(
  { dimensions, reference, weights, texts, windows }: RecallTask,
  product: MatrixProduct,
): Promise<Float64Array> {
  const m = reference.tokenIds.length;
  const best = await bestPerText(reference, texts, dimensions, product);
  const isEven = weights.every((weight) => weight === 0);
  return Float64Array.from(windows, (window) => {
    const filled = window.flatMap((text) => best.get(text) ?? []);
    if (filled.length === 0) return 0;
    let [sum, total] = [0, 0];
    for (let t = 0; t < m; t++) {
      const weight = isEven ? 1 : weights[t];
      sum += weight * filled.reduce((most, cosines) => Math.max(most, Math.min(1, cosines[t])), -1);
      total += weight;
    }
    return sum / total;
  });
}

/** The highest cosine of each text that has tokens with each token of the reference, if that has any. */
async function bestPerText(
  reference: Tokens,
  texts: readonly Tokens[],
  dimensions: number,
  product: MatrixProduct,
): Promise<ReadonlyMap<number, Float32Array>> {
  const found = new Map<number, Float32Array>();
  const [columns] = tokenBlocks(tokenMatrix([reference], dimensions), [0]);
  if (columns === undefined) return found;
  const width = columns.scales.length;
  const matchesOf = product.prepareMatches(columns, dimensions);
  for (const block of tokenBlocks(tokenMatrix(texts, dimensions), [...texts.keys()])) {
    for (const part of partsOf(block, dimensions, PART_TOKENS)) {
      const { back } = await matchesOf(part);
      part.items.forEach((text, row) => {
        found.set(text, back.subarray(row * width, (row + 1) * width));
      });
    }
  }
  return found;
}
