import type { Random } from './random.ts';

/**
 * A determinantal point process over n items: P(S) = det(L_S) / det(L + I) for a positive semi-definite kernel L (Kulesza &
 * Taskar 2012, equation 13). A k-DPP is the same given that |S| = k (section 5).
 */
export interface Dpp {
  readonly n: number;
  /** No set of positive probability holds more items; not always the least such number. */
  readonly rank: number;
  /** log det(L + I). */
  readonly logNormalizer: number;
  /** L_ii of the kernel that is sampled: of the positive semi-definite part of what was given. */
  diagonal(): Float64Array;
  /** Row i of that kernel. */
  row(i: number): Float64Array;
  /** P(i in S), the diagonal of L (L + I)^-1. */
  marginals(): Float64Array;
  /** A set of random size, ascending. */
  sample(random: Random): number[];
  /**
   * A set of k items, ascending.
   *
   * @throws RankError where k is above the rank
   */
  sampleOfSize(k: number, random: Random): number[];
}

/** Expected number of items, the sum of the marginals. */
export function expectedSize(dpp: Dpp): number {
  return dpp.marginals().reduce((sum, p) => sum + p, 0);
}
