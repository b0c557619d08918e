import type { Statistic } from '../bulk/estimate.ts';
import { pearson } from './pearson.ts';

/**
 * Spearman's rank correlation: Pearson's of the ranks, where equal values share the mean of their ranks. Values are sorted once,
 * so that resampling takes linear time.
 *
 * @returns the correlation for pairs that are counted as often as their weights say; null where a series does not vary
 */
export function spearman(xs: ArrayLike<number>, ys: ArrayLike<number>): Statistic {
  const ranksX = ranking(xs);
  const ranksY = ranking(ys);
  return (weights) => pearson(ranksX(weights), ranksY(weights), weights);
}

/** Ranks of values that are counted as often as their weights say; equal values share the mean of their ranks. */
export function ranking(values: ArrayLike<number>): (weights: ArrayLike<number>) => Float64Array {
  const order = Array.from(values, (_, index) => index).sort((a, b) => values[a] - values[b]);
  return (weights) => {
    const ranks = new Float64Array(values.length);
    let before = 0;
    for (let start = 0, end = 0; start < order.length; start = end) {
      let here = 0;
      for (end = start; end < order.length && values[order[end]] === values[order[start]]; end++) {
        here += weights[order[end]];
      }
      for (let i = start; i < end; i++) ranks[order[i]] = before + (here + 1) / 2;
      before += here;
    }
    return ranks;
  };
}
