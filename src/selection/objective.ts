import type { IncrementalLogDet } from '../dpp/incremental-log-det.ts';
import type { CoverageState } from '../kernel/coverage.ts';

/** What sequential strategies grow: log det(L_S) + mu cov(S). */
export interface Objective {
  readonly n: number;
  readonly value: number;
  readonly logDeterminant: number;
  /** What item i would add now; -Infinity where it is picked or numerically depends on what is. */
  gain(i: number): number;
  pick(i: number): Promise<void>;
}

/**
 * @param kernelRow row i of K
 * @param coverage null where its weight is 0
 */
export function objective(
  logDet: IncrementalLogDet,
  kernelRow: (i: number) => Promise<ArrayLike<number>>,
  coverage: CoverageState | null,
  coverageWeight: number,
): Objective {
  return {
    n: logDet.n,
    get value() {
      return logDet.value + (coverage === null ? 0 : coverageWeight * coverage.value);
    },
    get logDeterminant() {
      return logDet.value;
    },
    gain(i) {
      const gain = logDet.gain(i);
      return coverage === null || gain === -Infinity ? gain : gain + coverageWeight * coverage.gain(i);
    },
    async pick(i) {
      logDet.pick(i, await kernelRow(i));
      coverage?.add(i);
    },
  };
}
