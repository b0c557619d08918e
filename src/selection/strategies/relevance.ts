import { inOrder } from './in-order.ts';
import { ANY_SIZE, type Strategy } from './strategy.ts';

export const relevance: Strategy = {
  title: 'Most relevant only',
  line: 'The key points nearest to the question, even if they repeat each other.',
  group: 'baseline',
  chooses: 'the most relevant points, a baseline',
  objective: 'The most relevant points, whatever they repeat; points without any volume of their own are passed over.',
  cost: 'O(n log n), k rows of the kernel',
  source: 'the baseline of every retrieval system',
  sizes: ANY_SIZE,
  isSequential: true,
  isSampled: false,
  needs: {},
  select: (input) => inOrder(byRelevance(input.relevance), input, true),
};

/** Items in falling order of relevance, the lower index first on a tie. */
export function byRelevance(relevance: Float64Array, items: Iterable<number> = relevance.keys()): number[] {
  return [...items].sort((a, b) => relevance[b] - relevance[a] || a - b);
}
