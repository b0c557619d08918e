import type { Pick, Strategy } from './strategy.ts';

/** Gains so close to the largest are a tie, which the lowest canonical key wins. */
const TIE = 1e-9;

/**
 * Greedy MAP of log det(L_S) + mu cov(S): the item with the largest gain, again and again (Chen, Zhang & Zhou 2018).
 * k picks read k rows of the kernel and cost O(k n (k + references)).
 */
export const dppMap: Strategy = async ({ objective, fits, limit }) => {
  const picks: Pick[] = [];
  const picked: number[] = [];
  const gains = new Float64Array(objective.n);
  for (;;) {
    if (picks.length === objective.n) return { picks, stoppedBy: 'exhausted' };
    if (picks.length >= limit) return { picks, stoppedBy: 'size' };
    let largest = -Infinity;
    for (let i = 0; i < objective.n; i++) {
      gains[i] = objective.gain(i);
      if (gains[i] > largest) largest = gains[i];
    }
    if (largest === -Infinity) return { picks, stoppedBy: 'rank' };
    const tie = largest - TIE * Math.max(1, Math.abs(largest));
    const item = gains.findIndex((gain) => gain >= tie);
    if (!fits(item, picked)) return { picks, stoppedBy: 'words' };
    const gain = gains[item];
    await objective.pick(item);
    picks.push({ item, gain });
    picked.push(item);
  }
};
