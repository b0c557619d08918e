import type { Statistic } from '../results/estimate.ts';

/**
 * Pearson's correlation of two series, each pair counted as often as its weight says.
 *
 * @returns null where a series does not vary, which fewer than two pairs never do
 */
export function pearson(xs: ArrayLike<number>, ys: ArrayLike<number>, weights?: ArrayLike<number>): number | null {
  let total = 0;
  let sumX = 0;
  let sumY = 0;
  for (let i = 0; i < xs.length; i++) {
    const weight = weights?.[i] ?? 1;
    total += weight;
    sumX += weight * xs[i];
    sumY += weight * ys[i];
  }
  if (!varies(xs, weights) || !varies(ys, weights)) return null;
  const meanX = sumX / total;
  const meanY = sumY / total;
  let xy = 0;
  let xx = 0;
  let yy = 0;
  for (let i = 0; i < xs.length; i++) {
    const weight = weights?.[i] ?? 1;
    const x = xs[i] - meanX;
    const y = ys[i] - meanY;
    xy += weight * x * y;
    xx += weight * x * x;
    yy += weight * y * y;
  }
  return Math.max(-1, Math.min(1, xy / Math.sqrt(xx * yy)));
}

/** Rounding makes sums of squares of equal numbers positive now and then, so that the numbers are compared themselves. */
function varies(values: ArrayLike<number>, weights?: ArrayLike<number>): boolean {
  let first: number | null = null;
  for (let i = 0; i < values.length; i++) {
    if (weights?.[i] === 0) continue;
    first ??= values[i];
    if (values[i] !== first) return true;
  }
  return false;
}

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

/**
 * Kendall's tau-b of two series (Kendall 1945): concordant less discordant pairs, over the geometric mean of the pairs that are not tied in
 * either.
 *
 * @returns null where a series does not vary
 */
export function kendall(xs: ArrayLike<number>, ys: ArrayLike<number>): number | null {
  let [agreeing, apartX, apartY] = [0, 0, 0];
  for (let i = 0; i < xs.length; i++) {
    for (let j = 0; j < i; j++) {
      const [x, y] = [Math.sign(xs[i] - xs[j]), Math.sign(ys[i] - ys[j])];
      agreeing += x * y;
      apartX += Math.abs(x);
      apartY += Math.abs(y);
    }
  }
  return apartX === 0 || apartY === 0 ? null : agreeing / Math.sqrt(apartX * apartY);
}
