import { sampledObjective } from './sampled-kernel.ts';
import type { Strategy } from './strategy.ts';

export const dppSample: Strategy = {
  title: 'Random sample of any size',
  line: 'Random sample that favours relevant, varied key points; its size varies.',
  group: 'drawn',
  chooses: 'a random set with P(S) = det(L_S) / det(L + I), exactly',
  objective: 'A random set with P(S) = det(L_S) / det(L + I): relevant points that differ, as many as the draw says.',
  cost: 'O(n^3) once for a full kernel, O(n r^2) for one of rank r; O(n k^2) a draw',
  source: 'Kulesza & Taskar 2012; Hough et al. 2006; by the chain rule: Launay et al. 2020, Poulson 2020',
  sizes: ['none'],
  isSequential: false,
  isSampled: true,
  needs: { matrix: true },
  async select(input) {
    const { dpp } = await input.dpp();
    return { items: dpp.sample(input.random), stoppedBy: 'draw', newObjective: sampledObjective(dpp, input) };
  },
};
