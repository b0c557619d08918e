import type { Strategy } from './strategy.ts';

export const kDpp: Strategy = {
  objective: 'A random set of k points with P(S) proportional to det(L_S).',
  cost: 'as dpp-sample; O(n k) more for the polynomials, or a few draws for one',
  source: 'Kulesza & Taskar, ICML 2011; Barthelmé, Amblard & Tremblay 2019',
  sizes: ['keyPoints', 'auto'],
  isSequential: false,
  isSampled: true,
  needs: { matrix: true },
  select: async ({ dpp, random, limit }) => ({
    items: (await dpp()).dpp.sampleOfSize(limit, random),
    stoppedBy: 'size',
  }),
};
