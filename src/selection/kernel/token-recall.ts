import type { Encoding } from '../../models/index.ts';
import { tokenMatrix } from './token-matrix.ts';
import { documentFrequency } from './token-weights.ts';

type Tokens = Pick<Encoding, 'tokens' | 'tokenIds'>;

/** Weight of a token by its vocabulary id. */
type TokenWeight = (id: number) => number;

/**
 * Inverse document frequencies log((n + 1) / (df + 1)) over reference items: the weights of `tokenWeights` with power 1,
 * for items that are not known yet.
 */
export function inverseTokenFrequency(reference: readonly Pick<Encoding, 'tokenIds'>[]): TokenWeight {
  const n = reference.length;
  const offsets = new Int32Array(n + 1);
  reference.forEach(({ tokenIds }, i) => {
    offsets[i + 1] = offsets[i] + tokenIds.length;
  });
  const tokenIds = new Int32Array(offsets[n]);
  reference.forEach((item, i) => {
    tokenIds.set(item.tokenIds, offsets[i]);
  });
  const frequency = documentFrequency({ n, tokenIds, offsets });
  return (id) => Math.log((n + 1) / ((frequency.get(id) ?? 0) + 1));
}

/** How well the tokens of a text are found in others. */
interface TokenSupport {
  /** Of all its tokens, in [-1, 1]. */
  readonly recall: number;
  /** Of the run of RUN tokens (all, where there are fewer) that is found worst: what a mean over a long text hides. */
  readonly weakest: number;
  /** Of the two neighbours found worst, all tokens weighing the same: one word that is not there. */
  readonly worstPair: number;
}

/** Tokens of a run: about a short clause. Longer runs hide added claims, shorter ones punish a single new word. */
const RUN = 8;

/**
 * BERTScore recall of a hypothesis in its premises (Zhang et al. 2020, equation 1, with weights w):
 * R = sum_t w(t) max_s x_t . y_s / sum_t w(t), over the tokens t of the hypothesis and s of all premises together. All tokens
 * weigh the same where the weights sum to 0.
 *
 * Dot products of unit vectors add their components in ascending order in double precision and are rounded to Float32,
 * so that a token's best match does not depend on the order of the premises.
 *
 * @param hypothesis token vectors whose directions count
 * @param dimensions length of a token vector
 * @returns zeros where the hypothesis or all premises are without tokens
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
  return { recall, weakest, worstPair: worstPair(matches) };
}

function worstPair(matches: Float32Array): number {
  let worst = matches.length === 1 ? matches[0] : 1;
  for (let t = 1; t < matches.length; t++) worst = Math.min(worst, (matches[t - 1] + matches[t]) / 2);
  return worst;
}

/** For every token of the hypothesis the highest cosine with a token of the premises; null without tokens. */
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

/** Null where the weights sum to 0. */
function weightedMean(values: Float32Array, weights: Float64Array, from: number, to: number): number | null {
  let [sum, total] = [0, 0];
  for (let t = from; t < to; t++) {
    sum += weights[t] * values[t];
    total += weights[t];
  }
  return total > 0 ? Math.max(-1, Math.min(1, sum / total)) : null;
}
