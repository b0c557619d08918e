import type { Pick, Strategy } from './strategy.ts';

/** The most relevant items in falling order, whatever they repeat; items that add no volume to L are passed over. */
export const mostRelevant: Strategy = async ({ objective, relevance, fits, limit }) => {
  const order = Array.from(relevance, (_, i) => i).sort((a, b) => relevance[b] - relevance[a] || a - b);
  const picks: Pick[] = [];
  const picked: number[] = [];
  for (const item of order) {
    if (picks.length >= limit) return { picks, stoppedBy: 'size' };
    const gain = objective.gain(item);
    if (gain === -Infinity) continue;
    if (!fits(item, picked)) return { picks, stoppedBy: 'words' };
    await objective.pick(item);
    picks.push({ item, gain });
    picked.push(item);
  }
  return { picks, stoppedBy: picks.length === order.length ? 'exhausted' : 'rank' };
};
