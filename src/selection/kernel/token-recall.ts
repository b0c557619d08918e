import type { Encoding, MatrixProduct } from '../../models/index.ts';
import { partsOf, tokenBlocks, tokenMatrix } from './tokens.ts';

type Tokens = Pick<Encoding, 'tokens' | 'tokenIds'>;

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
