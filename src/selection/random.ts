import { inOrder } from './in-order.ts';
import { ANY_SIZE, type Strategy } from './strategy.ts';

export const random: Strategy = {
  objective: 'Points at random, all alike: what any strategy has to beat.',
  cost: 'O(n)',
  source: 'Fisher & Yates 1938',
  sizes: ANY_SIZE,
  isSequential: true,
  isSampled: true,
  needs: {},
  select(input) {
    const order = Array.from({ length: input.kernel.n }, (_, i) => i);
    for (let i = order.length - 1; i > 0; i--) {
      const j = Math.floor(input.random() * (i + 1));
      [order[i], order[j]] = [order[j], order[i]];
    }
    return inOrder(order, input, false);
  },
};
