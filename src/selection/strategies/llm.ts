import type { Strategy } from './strategy.ts';

/** What a language model chose, asked before the kernel was built (`choose-with-model.ts`). */
export const llm: Strategy = {
  title: 'Model selection',
  line: 'A language model selects from the list of key points.',
  group: 'model',
  chooses: 'what a language model picks from the list of points',
  objective: 'The points that a language model picked from the list; its own subset is the selection.',
  cost: 'one call of a model',
  source: 'the LLM-selected KPs condition of the key point papers',
  sizes: ['none'],
  isSequential: false,
  isSampled: false,
  needs: {},
  select: async ({ chosen }) => ({ items: [...(chosen ?? [])], stoppedBy: 'exhausted' }),
};
