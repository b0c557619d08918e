import type { Moments } from './moments.ts';

/** A mean and how sure it is. */
export interface MeanEstimate {
  readonly n: number;
  readonly mean: number;
  /** Of the mean: the square of its standard error. */
  readonly variance: number;
}

/**
 * The mean of an arm with its variance: that of the values by n, or p (1 - p) / n for a share.
 *
 * @returns null where there is no variance
 */
export function meanEstimate({ n, mean, variance }: Moments, isShare: boolean): MeanEstimate | null {
  if (mean === null || variance === null) return null;
  return { n, mean, variance: (isShare ? Math.max(0, mean * (1 - mean)) : variance) / n };
}
