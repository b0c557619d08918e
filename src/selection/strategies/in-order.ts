import type { StrategyInput, StrategyResult } from './strategy.ts';

/**
 * Takes items in a given order until the size is reached.
 *
 * @param passesOver whether items that numerically depend on those before them are left out
 */
export async function inOrder(
  order: readonly number[],
  { newObjective, fits, limit }: StrategyInput,
  passesOver: boolean,
): Promise<StrategyResult> {
  const objective = newObjective();
  const items: number[] = [];
  try {
    for (const item of order) {
      if (items.length >= limit) return { items, stoppedBy: 'size' };
      if (passesOver && objective.gain(item) === Number.NEGATIVE_INFINITY) continue;
      if (!fits(item, items)) return { items, stoppedBy: 'words' };
      if (passesOver) await objective.pick(item);
      items.push(item);
    }
  } finally {
    objective.release();
  }
  if (items.length === order.length) return { items, stoppedBy: 'exhausted' };
  return { items, stoppedBy: items.length >= limit ? 'size' : 'rank' };
}
