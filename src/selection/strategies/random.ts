import { shuffled } from '../dpp/shuffled.ts';
import { inOrder } from './in-order.ts';
import { ANY_SIZE, type Strategy } from './strategy.ts';

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
  select(input) {
    const all = Array.from({ length: input.kernel.n }, (_, i) => i);
    return inOrder(shuffled(all, input.random), input, false);
  },
};
