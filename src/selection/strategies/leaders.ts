import type { IncrementalLogDet } from '../dpp/incremental-log-det.ts';
import type { Scores } from '../dpp/pivoted-cholesky.ts';
import type { Bonus } from './bonus.ts';
import { tieLevel } from './lazy-gains.ts';

export interface Leaders {
  /** The items that tie for the largest gain, ascending; none where every gain is -Infinity. */
  readonly items: readonly number[];
  readonly gain: number;
}

/** Finds the items of the largest gain of an objective that grows. */
interface LeaderSearch {
  find(): Leaders;
  /** Leaves an item out from now on. */
  dismiss(i: number): void;
}

/** Share of a score by which rounding may set it off from its gain, generously. */
const ROUNDING = 1e-6;
/** Scores below this are too near to what a double can hold; the logarithm of the largest weight. */
const SMALLEST = 1e-200;
const MAX_LOG_WEIGHT = 690;

/**
 * The items of the largest log residual + 2 log q_i + bonus, the bonus falling from pick to pick: the score residual_i q_i^2
 * e^bonus with the last known bonus bounds what an item adds, so that logarithms and bonuses are taken only of items whose
 * score could be the largest (Minoux 1978). Residuals are those of now: every pick updates them all.
 */
export function leaderSearch(logDet: IncrementalLogDet, bonus: Pick<Bonus, 'gain'> | null): LeaderSearch {
  const { n, logQuality } = logDet;
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
    return logDet.score(weights);
  }

  /** The item of the largest score, by scores on a scale on which that is a number; -1 where no item is left. */
  function first(): number {
    const { item, score } = scores.largest();
    if (score >= SMALLEST) return item;
    shift = Number.NEGATIVE_INFINITY;
    let most = Number.NEGATIVE_INFINITY;
    for (let i = 0; i < n; i++) {
      if (!logDet.eligible(i)) continue;
      shift = Math.max(shift, logWeights[i] + logDet.gain(i) - 2 * logQuality[i]);
      most = Math.max(most, logWeights[i]);
    }
    if (shift === Number.NEGATIVE_INFINITY) return -1;
    shift = Math.max(shift, most - MAX_LOG_WEIGHT);
    scores = rescaled();
    return scores.largest().item;
  }

  /** The gain of an item, whose score then holds the bonus of now. */
  function look(i: number): number {
    const gain = logDet.gain(i);
    if (bonus === null || gain === Number.NEGATIVE_INFINITY) return gain;
    const added = bonus.gain(i);
    logWeights[i] = 2 * logQuality[i] + added;
    scores.weigh(i, Math.exp(logWeights[i] - shift));
    return gain + added;
  }

  /** No item of a smaller score reaches the level. */
  function leastScore(level: number): number {
    const score = Math.exp(level - shift);
    return score < SMALLEST ? 0 : score * (1 - ROUNDING);
  }

  return {
    find() {
      const start = first();
      if (start < 0) return { items: [], gain: Number.NEGATIVE_INFINITY };
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
      return { items: near.filter((_, place) => gains[place] >= level), gain: largest };
    },
    dismiss(i) {
      logWeights[i] = Number.NEGATIVE_INFINITY;
      scores.weigh(i, 0);
    },
  };
}
