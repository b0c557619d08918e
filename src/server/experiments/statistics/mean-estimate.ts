import type { Moments } from './moments.ts';

/** A mean and how sure it is. */
export interface MeanEstimate {
  readonly n: number;
  readonly mean: number;
  /** Of the mean: the square of its standard error. */
  readonly variance: number;
}

/**
 * The mean of an arm with its variance: that of the values by n, or p (1 - p) / n for a share. Of a share of 0 or 1 the variance
 * is that of half an event more or less: none at all would be sure of what nobody knows.
 *
 * @returns null where there is no variance
 */
export function meanEstimate({ n, mean, variance }: Moments, isShare: boolean): MeanEstimate | null {
  if (mean === null || variance === null) return null;
  if (!isShare) return { n, mean, variance: variance / n };
  const share = mean > 0 && mean < 1 ? mean : (mean * n + 0.5) / (n + 1);
  return { n, mean, variance: (share * (1 - share)) / n };
}
