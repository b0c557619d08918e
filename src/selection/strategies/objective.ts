import { lazy } from '../../text/index.ts';
import { type PivotedCholesky, pivotedCholesky, type Scores } from '../dpp/pivoted-cholesky.ts';
import type { Bonus } from '../kernel/coverage.ts';

export interface Objective {
  readonly n: number;
  readonly value: number;
  readonly logDeterminant: number;
  /** What item i would add now; -Infinity if it is picked or numerically depends on the picks. */
  gain(i: number): number;
  pick(i: number): Promise<void>;
  /** The items whose gains tie for the largest, ascending; none if every gain is -Infinity. */
  leaders(): readonly number[];
  /** Leaves an item out of the leaders. */
  dismiss(i: number): void;
  release(): void;
}

/** Gains this close to the largest tie with it; the lowest canonical key wins. */
const TIE = 1e-9;

export function tieLevel(largest: number): number {
  return largest - TIE * Math.max(1, Math.abs(largest));
}

interface FactoredKernel {
  readonly diagonal: ArrayLike<number>;
  readonly logQuality: ArrayLike<number>;
  row(i: number): Promise<ArrayLike<number>>;
}

/**
 * log det(L_S) grows by the residuals of a pivoted Cholesky decomposition of K (Chen, Zhang & Zhou 2018, algorithm 1). See
 * `pivotedCholesky` for `floors`.
 */
export function objective(
  { diagonal, logQuality, row }: FactoredKernel,
  bonus: Bonus | null,
  floors?: Float64Array,
): Objective {
  const factor = pivotedCholesky(diagonal, floors);
  let logDeterminant = 0;
  const search = lazy(() => leaderSearch(factor, logQuality, bonus));
  return {
    n: diagonal.length,
    get value() {
      return logDeterminant + (bonus?.value ?? 0);
    },
    get logDeterminant() {
      return logDeterminant;
    },
    gain(i) {
      const gain = volumeGain(factor, logQuality, i);
      return bonus === null || gain === -Infinity ? gain : gain + bonus.gain(i);
    },
    async pick(i) {
      const kernelRow = await row(i);
      logDeterminant += volumeGain(factor, logQuality, i);
      if (factor.independent(i) > 0) factor.pivot(i, kernelRow);
      bonus?.add(i);
    },
    leaders: () => search().leaders(),
    dismiss: (i) => search().dismiss(i),
    release: factor.release,
  };
}

/** The objective after some picks; to be released. */
export async function picked(items: readonly number[], newObjective: () => Objective): Promise<Objective> {
  const target = newObjective();
  for (const item of items) await target.pick(item);
  return target;
}

export async function worthOf(items: readonly number[], newObjective: () => Objective): Promise<number> {
  const target = await picked(items, newObjective);
  target.release();
  return target.value;
}

/** log residual_i + 2 log q_i; -Infinity if item i is picked or numerically depends on the picks. */
function volumeGain(factor: PivotedCholesky, logQuality: ArrayLike<number>, i: number): number {
  const residual = factor.independent(i);
  return residual > 0 ? Math.log(residual) + 2 * logQuality[i] : Number.NEGATIVE_INFINITY;
}

/** Relative difference between a score and its gain that rounding may cause, generously. */
const ROUNDING = 1e-6;
/** Scores below this come too close to the range of doubles; and the logarithm of the largest weight. */
const SMALLEST = 1e-200;
const MAX_LOG_WEIGHT = 690;

/**
 * The items with the largest log residual + 2 log q_i + bonus. Logarithms and bonuses are computed only for items whose upper bound
 * residual_i q_i^2 e^bonus could win (Minoux 1978).
 */
function leaderSearch(factor: PivotedCholesky, logQuality: ArrayLike<number>, bonus: Pick<Bonus, 'gain'> | null) {
  const { n } = factor;
  const logWeights = new Float64Array(n);
  let shift = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < n; i++) {
    logWeights[i] = 2 * logQuality[i] + (bonus?.gain(i) ?? 0);
    shift = Math.max(shift, logWeights[i]);
  }
  let scores = rescaled();

  function rescaled(): Scores {
    const weights = new Float64Array(n);
    for (let i = 0; i < n; i++) weights[i] = logWeights[i] === shift ? 1 : Math.exp(logWeights[i] - shift);
    return factor.score(weights);
  }

  /** Rescales if the score leaves the range of doubles; -1 if no item is left. */
  function first(): number {
    const { item, score } = scores.largest();
    if (score >= SMALLEST) return item;
    shift = Number.NEGATIVE_INFINITY;
    let most = Number.NEGATIVE_INFINITY;
    for (let i = 0; i < n; i++) {
      const gain = volumeGain(factor, logQuality, i);
      if (gain === Number.NEGATIVE_INFINITY) continue;
      shift = Math.max(shift, logWeights[i] + gain - 2 * logQuality[i]);
      most = Math.max(most, logWeights[i]);
    }
    if (shift === Number.NEGATIVE_INFINITY) return -1;
    shift = Math.max(shift, most - MAX_LOG_WEIGHT);
    scores = rescaled();
    return scores.largest().item;
  }

  function look(i: number): number {
    const gain = volumeGain(factor, logQuality, i);
    if (bonus === null || gain === Number.NEGATIVE_INFINITY) return gain;
    const added = bonus.gain(i);
    logWeights[i] = 2 * logQuality[i] + added;
    scores.weigh(i, Math.exp(logWeights[i] - shift));
    return gain + added;
  }

  const leastScore = (level: number): number => {
    const score = Math.exp(level - shift);
    return score < SMALLEST ? 0 : score * (1 - ROUNDING);
  };

  return {
    leaders(): readonly number[] {
      const start = first();
      if (start < 0) return [];
      let largest = look(start);
      let level = tieLevel(largest);
      let least = leastScore(level);
      const near = scores.from(least);
      const gains = new Float64Array(near.length).fill(Number.NEGATIVE_INFINITY);
      for (let place = 0; place < near.length; place++) {
        const item = near[place];
        if (bonus !== null && scores.of(item) < least) continue;
        const gain = item === start ? largest : look(item);
        gains[place] = gain;
        if (gain <= largest) continue;
        largest = gain;
        level = tieLevel(largest);
        least = leastScore(level);
      }
      return near.filter((_, place) => gains[place] >= level);
    },
    dismiss(i: number): void {
      logWeights[i] = Number.NEGATIVE_INFINITY;
      scores.weigh(i, 0);
    },
  };
}
