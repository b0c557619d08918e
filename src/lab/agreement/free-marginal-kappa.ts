import type { Statistic } from '../bulk/bootstrap.ts';
import { weightedMean } from '../bulk/estimate.ts';

/**
 * The share of an item's pairs of ratings that agree.
 *
 * @param counts ratings of the item by category
 * @returns null for fewer than two ratings
 */
export function agreeingPairs(counts: readonly number[]): number | null {
  const ratings = counts.reduce((sum, count) => sum + count, 0);
  if (ratings < 2) return null;
  return counts.reduce((sum, count) => sum + count * (count - 1), 0) / (ratings * (ratings - 1));
}

/**
 * The free-marginal multirater kappa, (P_o - 1/k) / (1 - 1/k): agreement beyond that of raters who give each of k categories
 * equally often, where nobody was told how often to give them (Randolph 2005). P_o is the mean over items of the share of
 * pairs that agree, so that items may have different numbers of ratings.
 *
 * @param agreeing for each item `agreeingPairs`
 * @param categories k: those of the scale, whether or not they were given
 * @returns the kappa of items that are counted as often as their weights say; null where none counts, and for a scale of
 *   fewer than two categories
 */
export function freeMarginalKappa(agreeing: ArrayLike<number>, categories: number): Statistic {
  const chance = 1 / categories;
  return (weights) => {
    const observed = weightedMean(agreeing, weights);
    return observed === null || categories < 2 ? null : (observed - chance) / (1 - chance);
  };
}
