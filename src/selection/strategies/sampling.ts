import { kernelDpp } from '../dpp/kernel-dpp.ts';
import { dualDistance, dualDpp, lowRank, nystromFactor } from '../dpp/low-rank.ts';
import { finiteQuality, type Kernel } from '../kernel/kernel.ts';
import { LANDMARKS, landmarksOf } from '../kernel/reference.ts';
import { type Objective, objective } from './objective.ts';
import type { SampledKernel, Strategy, StrategyInput } from './strategy.ts';

export const dppSample: Strategy = {
  objective: 'A random set with P(S) = det(L_S) / det(L + I): relevant points that differ, as many as the draw says.',
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

export const kDpp: Strategy = {
  objective: 'A random set of k points with P(S) proportional to det(L_S).',
  source: 'Kulesza & Taskar, ICML 2011; Barthelmé, Amblard & Tremblay 2019',
  sizes: ['keyPoints', 'auto'],
  isSequential: false,
  isSampled: true,
  needs: { matrix: true },
  async select(input) {
    const { dpp } = await input.dpp();
    // A request cannot know the rank, so an automatic size stops there.
    const size = input.options.size === 'auto' ? Math.min(input.limit, dpp.rank) : input.limit;
    return {
      items: dpp.sampleOfSize(size, input.random),
      stoppedBy: size < input.limit ? 'rank' : 'size',
      newObjective: sampledObjective(dpp, input),
    };
  },
};

function sampledObjective(dpp: SampledKernel['dpp'], { newBonus }: StrategyInput): () => Objective {
  const kernel = () => ({
    diagonal: dpp.diagonal(),
    logQuality: new Float64Array(dpp.n),
    row: async (i: number) => dpp.row(i),
  });
  return () => objective(kernel(), newBonus());
}

/** Max items of an indefinite kernel to decompose in full: about 4 s. */
const SPECTRAL_LIMIT = 1500;
export const DENSE_LIMIT = 3000;

/**
 * Exact if the kernel is small or positive semi-definite, else low-rank or a clipped Nyström approximation (Williams & Seeger 2001).
 *
 * @param size the size of the sets to draw; null for random size
 */
export async function sampledKernel(
  kernel: Kernel,
  hashes: readonly string[],
  size: number | null,
): Promise<SampledKernel> {
  const { n } = kernel;
  const most = size === null ? 0 : Math.min(n, size);
  if (n <= DENSE_LIMIT) {
    const made = await kernelDpp(await kernel.matrix(), n, { size: most, maxSpectral: SPECTRAL_LIMIT });
    if (made !== null) return { ...made, totalVariation: made.totalVariation(size), landmarks: null };
  }
  const quality = finiteQuality(kernel.logQuality);
  const diagonal = kernel.diagonal.map((value, i) => value * quality[i] * quality[i]);
  const row = async (i: number): Promise<Float64Array> =>
    (await kernel.row(i)).map((value, j) => quality[i] * value * quality[j]);
  if (kernel.isPositive) {
    const low = await lowRank(diagonal, row, LANDMARKS);
    const dpp = dualDpp(low.factor, n, low.rank);
    const totalVariation = dualDistance(dpp, low.residual, size);
    return { dpp, clippedMass: 0, residual: low.residual, totalVariation, landmarks: low.complete ? null : low.rank };
  }
  const landmarks = landmarksOf(hashes);
  const rows = new Float64Array(landmarks.length * n);
  for (const [r, i] of landmarks.entries()) rows.set(await row(i), r * n);
  const { factor, rank, clippedMass } = nystromFactor(rows, landmarks, n);
  const residual = diagonal.reduce((sum, value, i) => {
    let explained = 0;
    for (let c = 0; c < rank; c++) explained += factor[i * rank + c] ** 2;
    return sum + Math.max(0, value - explained);
  }, 0);
  return { dpp: dualDpp(factor, n, rank), clippedMass, residual, totalVariation: null, landmarks: landmarks.length };
}
