import type { Sums } from '../../../../src/server/experiments/statistics/moments.ts';

/** What the store would sum over these subjects. */
export function sumsOf(xs: readonly number[], ys: readonly number[] = xs.map(() => 0)): Sums {
  const sum = (of: (x: number, y: number) => number) => xs.reduce((total, x, i) => total + of(x, ys[i]), 0);
  return {
    x: sum((x) => x),
    xx: sum((x) => x * x),
    y: sum((_, y) => y),
    yy: sum((_, y) => y * y),
    xy: sum((x, y) => x * y),
  };
}
