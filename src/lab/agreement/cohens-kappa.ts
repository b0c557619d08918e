import type { Statistic } from '../bulk/bootstrap.ts';

/** How much a disagreement counts: every one alike (Cohen 1960), or by the steps between the two (Cohen 1968, linear). */
export type Disagreement = 'equal' | 'linear';

/**
 * Cohen's kappa of two raters: 1 less the disagreement that is seen, over that which their marginals would bring by chance
 * (Cohen 1960, "A coefficient of agreement for nominal scales"; weighted: Cohen 1968).
 *
 * @param first the category that the first rater gave each item, from 0, in the order of the scale
 * @param second the same of the second rater, for the same items
 * @param categories of the scale, whether or not they were given
 * @returns the kappa of items that are counted as often as their weights say; null where no item counts, and where both
 *   raters gave one and the same category throughout: chance alone would agree on everything
 */
export function cohensKappa(
  first: ArrayLike<number>,
  second: ArrayLike<number>,
  categories: number,
  disagreement: Disagreement = 'equal',
): Statistic {
  const cost = (a: number, b: number) => (disagreement === 'linear' ? Math.abs(a - b) : Number(a !== b));
  return (weights) => {
    const rows = new Float64Array(categories);
    const columns = new Float64Array(categories);
    let total = 0;
    let seen = 0;
    for (let item = 0; item < first.length; item++) {
      rows[first[item]] += weights[item];
      columns[second[item]] += weights[item];
      total += weights[item];
      seen += weights[item] * cost(first[item], second[item]);
    }
    let chance = 0;
    for (let a = 0; a < categories; a++) {
      for (let b = 0; b < categories; b++) chance += rows[a] * columns[b] * cost(a, b);
    }
    return chance === 0 ? null : 1 - (seen * total) / chance;
  };
}
