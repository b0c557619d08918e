import { shuffled } from '../dpp/random.ts';
import { ANY_SIZE, type Strategy, type StrategyInput, type StrategyResult } from './strategy.ts';

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
  select: (input) => inOrder(byRelevance(input.relevance, input.items), input, true),
};

export const random: Strategy = {
  title: 'At random',
  line: 'Random key points, as a baseline.',
  group: 'baseline',
  chooses: 'any points, a baseline',
  objective: 'Points at random, all alike: what any strategy has to beat.',
  cost: 'O(n)',
  source: 'Fisher & Yates 1938',
  sizes: ANY_SIZE,
  isSequential: true,
  isSampled: true,
  needs: {},
  select: (input) => inOrder(shuffled(input.items, input.random), input, false),
};

export const all: Strategy = {
  title: 'Everything relevant',
  line: 'No selection: every relevant key point.',
  group: 'baseline',
  chooses: 'every point past the gate',
  objective: 'Every point past the gate.',
  cost: 'O(n)',
  source: 'the All KPs condition of the key point papers',
  sizes: ['none'],
  isSequential: false,
  isSampled: false,
  needs: {},
  select: async ({ items }) => ({ items, stoppedBy: 'exhausted' }),
};

export const llm: Strategy = {
  ...all,
  title: 'Model selection',
  line: 'A language model selects from the list of key points.',
  group: 'model',
  chooses: 'what a language model picks from the list of points',
  objective: 'The points that a language model picked from the list; its own subset is the selection.',
  cost: 'one call of a model',
  source: 'the LLM-selected KPs condition of the key point papers',
  select: async ({ chosen }) => ({ items: chosen, stoppedBy: 'exhausted' }),
};

/** A digest by one prompt over the documents: the quotes in its answer are the points, all selected. */
export const naive: Strategy = {
  ...all,
  title: 'One prompt',
  line: 'A language model writes from the documents in one prompt; quotes that are not in them are dropped.',
  group: 'model',
  chooses: 'whatever one prompt over the documents quotes',
  objective: 'No selection: everything that one prompt over the documents quoted.',
  cost: 'one call of a model',
  source: 'the naive baseline of the key point papers',
};

export function byRelevance(relevance: Float64Array, items: Iterable<number> = relevance.keys()): number[] {
  return [...items].sort((a, b) => relevance[b] - relevance[a] || a - b);
}

async function inOrder(
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
