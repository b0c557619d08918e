import { lazyGains } from './lazy-gains.ts';
import { ANY_SIZE, type Strategy, type StrategyInput, type StrategyResult } from './strategy.ts';

/** The item with the largest gain, again and again. k picks read k rows of the kernel. */
export async function greedyMap({
  newObjective,
  fits,
  limit,
}: Pick<StrategyInput, 'newObjective' | 'fits' | 'limit'>): Promise<StrategyResult> {
  const objective = newObjective();
  const items: number[] = [];
  const gains = lazyGains(objective.n, (i) => objective.gain(i));
  for (;;) {
    if (items.length === objective.n) return { items, stoppedBy: 'exhausted' };
    if (items.length >= limit) return { items, stoppedBy: 'size' };
    const [item] = gains.leaders().items;
    if (item === undefined) return { items, stoppedBy: 'rank' };
    if (!fits(item, items)) return { items, stoppedBy: 'words' };
    await objective.pick(item);
    items.push(item);
  }
}

export const dppMap: Strategy = {
  objective:
    'The set with the largest log det(L_S) + mu cov(S) + nu sources(S), greedily: relevant points that differ.',
  cost: 'O(n k^2), k rows of the kernel; with coverage O(n k m) more',
  source: 'Chen, Zhang & Zhou, NeurIPS 2018; lazily: Minoux 1978',
  sizes: ANY_SIZE,
  isSequential: true,
  isSampled: false,
  needs: {},
  select: greedyMap,
};
