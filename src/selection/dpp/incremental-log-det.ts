import { pivotedCholesky, type Scores } from './pivoted-cholesky.ts';

/**
 * log det of a growing principal submatrix of L = diag(q) K diag(q), item by item (Chen, Zhang & Zhou 2018, algorithm 1). It
 * factors K and adds 2 log q, so that qualities from 1e-150 to 1e150 are safe.
 */
export interface IncrementalLogDet {
  readonly n: number;
  /** log det(L_S) of the items picked so far; -Infinity once a picked item depended on those before it. */
  readonly value: number;
  /** What item i would add: log of its residual plus 2 log q_i; -Infinity where `eligible(i)` is false. */
  gain(i: number): number;
  /** Whether item i is not picked and numerically independent of what is: residual > max(n, 4) eps K_ii. */
  eligible(i: number): boolean;
  /**
   * Picks item i.
   *
   * @param row row i of K, n long
   */
  pick(i: number, row: ArrayLike<number>): void;
  /** log q_i. */
  readonly logQuality: ArrayLike<number>;
  /** Scores each item from now on: its weight times its residual, 0 where it is not eligible. */
  score(weights: Float64Array): Scores;
  /** Leaves the memory to the next one; nothing may be asked of this one any more. */
  release(): void;
}

/**
 * @param diagonal K_ii; n long
 * @param logQuality log q_i; n long
 * @param floors residuals up to which an item depends on others; max(n, 4) eps K_ii where absent
 */
export function incrementalLogDet(
  diagonal: ArrayLike<number>,
  logQuality: ArrayLike<number>,
  floors?: Float64Array,
): IncrementalLogDet {
  const factor = pivotedCholesky(diagonal, floors);
  let value = 0;
  function gain(i: number): number {
    const residual = factor.independent(i); // 0 for what is picked: a pivot has no residual left
    return residual > 0 ? Math.log(residual) + 2 * logQuality[i] : Number.NEGATIVE_INFINITY;
  }
  return {
    n: diagonal.length,
    get value() {
      return value;
    },
    gain,
    eligible: (i) => factor.independent(i) > 0,
    pick(i, row) {
      value += gain(i);
      if (factor.independent(i) > 0) factor.pivot(i, row);
    },
    logQuality,
    score: factor.score,
    release: factor.release,
  };
}
