import { shuffled } from '../dpp/random.ts';
import type { Objective } from './objective.ts';
import { pickOneByOne } from './one-by-one.ts';
import { ONE_BY_ONE, type Strategy, type StrategyInput, type StrategyResult } from './strategy.ts';

export const relevance: Strategy = {
  ...ONE_BY_ONE,
  objective: 'The most relevant points, whatever they repeat; points without any volume of their own are passed over.',
  source: 'the baseline of every retrieval system',
  select: (input) => inOrder(byRelevance(input.relevance, input.items), input, input.newObjective()),
};

export const random: Strategy = {
  ...ONE_BY_ONE,
  objective: 'Points at random, all alike: what any strategy has to beat.',
  source: 'Fisher & Yates 1938',
  isSampled: true,
  select: (input) => inOrder(shuffled(input.items, input.random), input, null),
};

export const all: Strategy = {
  objective: 'Every point past the gate.',
  source: 'the All KPs condition of the key point papers',
  sizes: ['none'],
  isSequential: false,
  isSampled: false,
  select: async ({ items }) => ({ items, stoppedBy: 'exhausted' }),
};

export const llm: Strategy = {
  ...all,
  objective: 'The points that a language model picked from the list; its own subset is the selection.',
  source: 'the LLM-selected KPs condition of the key point papers',
  select: async ({ chosen }) => ({ items: chosen, stoppedBy: 'exhausted' }),
};

/** A digest by one prompt over the documents: the quotes in its answer are the points, all selected. */
export const naive: Strategy = {
  ...all,
  objective: 'No selection: everything that one prompt over the documents quoted.',
  source: 'the naive baseline of the key point papers',
};

export function byRelevance(relevance: Float64Array, items: Iterable<number> = relevance.keys()): number[] {
  return [...items].sort((a, b) => relevance[b] - relevance[a] || a - b);
}

/** @param objective given to pass over items that depend on the picks */
function inOrder(order: readonly number[], input: StrategyInput, objective: Objective | null): Promise<StrategyResult> {
  let at = 0;
  const next = (): number | undefined => {
    while (objective !== null && at < order.length && objective.gain(order[at]) === Number.NEGATIVE_INFINITY) at++;
    return order[at++];
  };
  return pickOneByOne(input, { next, take: objective?.pick, end: objective?.release });
}
