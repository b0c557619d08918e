import type { Random } from './random.ts';

/** A determinantal point process: P(S) = det(L_S) / det(L + I) for L >= 0 (Kulesza & Taskar 2012, equation 13); k-DPPs: section 5. */
export interface Dpp {
  readonly n: number;
  /** Upper bound on the size of a set of positive probability. */
  readonly rank: number;
  readonly logNormalizer: number;
  /** L_ii of the sampled kernel: the positive semi-definite part of the given one. */
  diagonal(): Float64Array;
  row(i: number): Float64Array;
  /** P(i in S), the diagonal of L (L + I)^-1. */
  marginals(): Float64Array;
  sample(random: Random): number[];
  /** @throws RankError if k exceeds the rank */
  sampleOfSize(k: number, random: Random): number[];
}

export function expectedSize(dpp: Dpp): number {
  return dpp.marginals().reduce((sum, p) => sum + p, 0);
}
