import type { Strategy } from './strategy.ts';

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
  select: async ({ kernel }) => ({ items: Array.from({ length: kernel.n }, (_, i) => i), stoppedBy: 'exhausted' }),
};
