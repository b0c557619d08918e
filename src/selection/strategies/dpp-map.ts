import { ANY_SIZE, type Strategy, type StrategyInput, type StrategyResult } from './strategy.ts';

/** @param passesOver whether to skip an item that is too long for the remaining room, rather than stop */
export async function greedyMap(
  { newObjective, items: { length: n }, fits, limit }: Pick<StrategyInput, 'newObjective' | 'items' | 'fits' | 'limit'>,
  passesOver = false,
): Promise<StrategyResult> {
  const objective = newObjective();
  const items: number[] = [];
  let passed = 0;
  try {
    for (;;) {
      if (items.length + passed === n) return { items, stoppedBy: passed > 0 ? 'words' : 'exhausted' };
      if (items.length >= limit) return { items, stoppedBy: 'size' };
      const [item] = objective.leaders();
      if (item === undefined) return { items, stoppedBy: passed > 0 ? 'words' : 'rank' };
      if (fits(item, items)) {
        items.push(item);
        if (items.length < limit) await objective.pick(item); // the state after the last pick is not needed
      } else if (passesOver) {
        objective.dismiss(item);
        passed++;
      } else return { items, stoppedBy: 'words' };
    }
  } finally {
    objective.release();
  }
}

export const dppMap: Strategy = {
  title: 'Best set, quickly',
  line: 'Selects key points one by one that answer the question and do not repeat each other (DPP).',
  group: 'different',
  chooses: 'greedily the largest log det(L_S) + mu cov(S) + nu sources(S): relevant, different, from many',
  objective:
    'The set with the largest log det(L_S) + mu cov(S) + nu sources(S), greedily: relevant points that differ.',
  cost: 'O(n k^2), k rows of the kernel; with coverage O(n k m) more',
  source: 'Chen, Zhang & Zhou, NeurIPS 2018; lazily: Minoux 1978',
  sizes: ANY_SIZE,
  isSequential: true,
  isSampled: false,
  needs: {},
  select: (input) => greedyMap(input, input.options.size === 'auto'),
};
