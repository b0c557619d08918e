import { sampledObjective } from './sampled-kernel.ts';
import type { Strategy } from './strategy.ts';

export const kDpp: Strategy = {
  title: 'Random sample of a given size',
  line: 'Random sample that favours relevant, varied key points; you set its size.',
  group: 'drawn',
  chooses: 'a random set of k with P(S) proportional to det(L_S), exactly',
  objective: 'A random set of k points with P(S) proportional to det(L_S).',
  cost: 'as dpp-sample; O(n k) more for the polynomials, or a few draws for one',
  source: 'Kulesza & Taskar, ICML 2011; Barthelmé, Amblard & Tremblay 2019',
  sizes: ['keyPoints', 'auto'],
  isSequential: false,
  isSampled: true,
  needs: { matrix: true },
  async select(input) {
    const { dpp } = await input.dpp();
    // What a request cannot know it need not ask for: an automatic size ends at the rank.
    const size = input.options.size === 'auto' ? Math.min(input.limit, dpp.rank) : input.limit;
    return {
      items: dpp.sampleOfSize(size, input.random),
      stoppedBy: size < input.limit ? 'rank' : 'size',
      newObjective: sampledObjective(dpp, input),
    };
  },
};
