import type { BenchmarkSet } from '../benchmark-set.ts';

/** A set as it is run. */
export interface RunSet extends BenchmarkSet {
  /** Key points that digests are asked for: a number, as many as the case has insights, or what their options say. */
  readonly keyPoints?: number | 'insights' | undefined;
}
