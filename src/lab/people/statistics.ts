import { type Statistic, weightedMean } from '../results/estimate.ts';

/** Weighted. @returns null if a series does not vary, or with fewer than two pairs */
export function pearson(
  xs: ArrayLike<number>,
  ys: ArrayLike<number>,
  weights: ArrayLike<number> = new Float64Array(xs.length).fill(1),
): number | null {
  const [meanX, meanY] = [weightedMean(xs, weights), weightedMean(ys, weights)];
  if (meanX === null || meanY === null || !varies(xs, weights) || !varies(ys, weights)) return null;
  let [xy, xx, yy] = [0, 0, 0];
  for (let i = 0; i < xs.length; i++) {
    const [x, y] = [xs[i] - meanX, ys[i] - meanY];
    xy += weights[i] * x * y;
    xx += weights[i] * x * x;
    yy += weights[i] * y * y;
  }
  return Math.max(-1, Math.min(1, xy / Math.sqrt(xx * yy)));
}

/** Compares values directly: rounding can give equal values a positive variance. */
function varies(values: ArrayLike<number>, weights: ArrayLike<number>): boolean {
  const counted = Array.from(values).filter((_, i) => weights[i] !== 0);
  return counted.some((value) => value !== counted[0]);
}

/**
 * Spearman's rank correlation with mean ranks for ties; linear per resample, as ranks are sorted once.
 * @returns null if a series does not vary
 */
export function spearman(xs: ArrayLike<number>, ys: ArrayLike<number>): Statistic {
  const ranksX = ranking(xs);
  const ranksY = ranking(ys);
  return (weights) => pearson(ranksX(weights), ranksY(weights), weights);
}

function ranking(values: ArrayLike<number>): (weights: ArrayLike<number>) => Float64Array {
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

/**
 * @param counts ratings of the item by category
 * @returns null for fewer than two ratings
 */
export function agreeingPairs(counts: readonly number[]): number | null {
  const ratings = counts.reduce((sum, count) => sum + count, 0);
  if (ratings < 2) return null;
  return counts.reduce((sum, count) => sum + count * (count - 1), 0) / (ratings * (ratings - 1));
}

/**
 * Free-marginal multirater kappa, (P_o - 1/k) / (1 - 1/k) (Randolph 2005), with P_o the mean of `agreeingPairs`.
 * @param agreeing `agreeingPairs` of each item
 * @param categories k, the size of the scale
 * @returns null without items, or for fewer than two categories
 */
export function freeMarginalKappa(agreeing: ArrayLike<number>, categories: number): Statistic {
  const chance = 1 / categories;
  return (weights) => {
    const observed = weightedMean(agreeing, weights);
    return observed === null || categories < 2 ? null : (observed - chance) / (1 - chance);
  };
}

/**
 * Krippendorff's alpha: 1 less the observed disagreement of pairs of ratings of one item over that of all pairs (Krippendorff 2004,
 * chapter 11); any number of raters, and missing ratings.
 * @param counts ratings of each item by category, in the order of the scale
 * @returns null if no item has two ratings, or if all ratings are one category
 */
export function krippendorffAlpha(
  counts: readonly (readonly number[])[],
  disagreement: Disagreement = 'equal',
): Statistic {
  const cost = (a: number, b: number) => (disagreement === 'linear' ? (a - b) ** 2 : Number(a !== b));
  const paired = counts.map((own) => own.reduce((sum, count) => sum + count, 0));
  const within = counts.map((own, item) => pairCost(own, cost) / (paired[item] - 1));
  return (weights) => {
    const totals = new Float64Array(counts[0]?.length ?? 0);
    let seen = 0;
    counts.forEach((own, item) => {
      if (paired[item] < 2) return;
      seen += weights[item] * within[item];
      own.forEach((count, category) => {
        totals[category] += weights[item] * count;
      });
    });
    const ratings = totals.reduce((sum, count) => sum + count, 0);
    const chance = pairCost(totals, cost) / (ratings - 1);
    return chance > 0 ? 1 - seen / chance : null;
  };
}

function pairCost(counts: ArrayLike<number>, cost: (a: number, b: number) => number): number {
  let sum = 0;
  for (let a = 0; a < counts.length; a++) {
    for (let b = 0; b < counts.length; b++) sum += counts[a] * counts[b] * cost(a, b);
  }
  return sum;
}

/** Equal weights (Cohen 1960), or the distance on the scale (Cohen 1968, linear; squared in Krippendorff's alpha). */
export type Disagreement = 'equal' | 'linear';

/**
 * Cohen's kappa: 1 less the observed disagreement over that expected by chance (Cohen 1960; weighted: Cohen 1968).
 * @param first category of each item by the first rater, from 0, in the order of the scale
 * @param categories size of the scale
 * @returns null if no item counts, or if both raters gave one and the same category throughout
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
    let [total, seen] = [0, 0];
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
