import type { IncrementalLogDet } from '../dpp/incremental-log-det.ts';
import type { Bonus } from './bonus.ts';
import { type Leaders, leaderSearch } from './leaders.ts';

/** What sequential strategies grow: log det(L_S) + mu cov(S) + nu sources(S). */
export interface Objective {
  readonly n: number;
  readonly value: number;
  readonly logDeterminant: number;
  /** What item i would add now; -Infinity where it is picked or numerically depends on what is. */
  gain(i: number): number;
  pick(i: number): Promise<void>;
  /** Leaves its memory to the next objective; nothing may be asked of this one any more. */
  release(): void;
}

/** One that tells which item to pick next. */
export interface GreedyObjective extends Objective {
  /** The items whose gains tie for the largest. */
  leaders(): Leaders;
  /** Never names an item among the leaders again. */
  dismiss(i: number): void;
}

/**
 * @param kernelRow row i of K
 * @param bonus what is added to log det; null where nothing is
 */
export function objective(
  logDet: IncrementalLogDet,
  kernelRow: (i: number) => Promise<ArrayLike<number>>,
  bonus: Bonus | null,
): GreedyObjective {
  let search: ReturnType<typeof leaderSearch> | undefined;
  const searching = () => {
    search ??= leaderSearch(logDet, bonus);
    return search;
  };
  return {
    n: logDet.n,
    get value() {
      return logDet.value + (bonus?.value ?? 0);
    },
    get logDeterminant() {
      return logDet.value;
    },
    gain(i) {
      const gain = logDet.gain(i);
      return bonus === null || gain === -Infinity ? gain : gain + bonus.gain(i);
    },
    async pick(i) {
      logDet.pick(i, await kernelRow(i));
      bonus?.add(i);
    },
    leaders: () => searching().find(),
    dismiss: (i) => searching().dismiss(i),
    release: logDet.release,
  };
}
