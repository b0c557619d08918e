import type { TokenMatrix } from './token-matrix.ts';

/**
 * Token weights idf^p, with idf = log((n + 1) / (df + 1)) over n reference items (BERTScore's plus-one smoothing, Zhang et
 * al. 2020, section 3; the power is Tessera's: with p = 2 the words of the topic itself weigh little).
 *
 * @param reference items whose document frequencies count
 * @param power p; 0 gives weight 1 to every token
 * @param items items to weigh, by default the reference itself
 * @returns one weight per token of `items`; 1 for all tokens of an item whose weights sum to 0
 */
export function tokenWeights(reference: TokenMatrix, power: number, items = reference): Float32Array {
  const { tokenIds, offsets } = items;
  const weights = new Float32Array(tokenIds.length).fill(1);
  if (power === 0) return weights;
  const frequency = documentFrequency(reference);
  for (let i = 0; i < items.n; i++) {
    let sum = 0;
    for (let t = offsets[i]; t < offsets[i + 1]; t++) {
      weights[t] = Math.log((reference.n + 1) / ((frequency.get(tokenIds[t]) ?? 0) + 1)) ** power;
      sum += weights[t];
    }
    if (sum === 0) weights.fill(1, offsets[i], offsets[i + 1]);
  }
  return weights;
}

/** In how many items each token stands. */
export function documentFrequency({
  n,
  tokenIds,
  offsets,
}: Pick<TokenMatrix, 'n' | 'tokenIds' | 'offsets'>): Map<number, number> {
  const frequency = new Map<number, number>();
  for (let i = 0; i < n; i++) {
    for (const id of new Set(tokenIds.subarray(offsets[i], offsets[i + 1]))) {
      frequency.set(id, (frequency.get(id) ?? 0) + 1);
    }
  }
  return frequency;
}
