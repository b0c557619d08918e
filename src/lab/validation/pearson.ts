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
