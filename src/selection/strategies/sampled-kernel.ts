import type { Dpp } from '../dpp/dpp.ts';
import { incrementalLogDet } from '../dpp/incremental-log-det.ts';
import { kernelDpp } from '../dpp/kernel-dpp.ts';
import { dualDistance, dualDpp, lowRank } from '../dpp/low-rank.ts';
import { nystromFactor } from '../dpp/nystrom.ts';
import { finiteQuality, type Kernel } from '../kernel/kernel.ts';
import { LANDMARKS, landmarksOf } from '../kernel/reference.ts';
import { type GreedyObjective, objective } from './objective.ts';
import type { SampledKernel, StrategyInput } from './strategy.ts';

/** Items up to which an indefinite kernel is decomposed whole: about 4 s. */
const SPECTRAL_LIMIT = 1500;
/** Items up to which a kernel is held whole. */
export const DENSE_LIMIT = 3000;

/**
 * The DPP of a kernel: exact where the kernel is small or positive semi-definite, else of its clipped Nyström approximation
 * from LANDMARKS items (Williams & Seeger 2001), or of its low-rank part.
 *
 * @param hashes content hash of each item, which decides landmarks
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
  return kernel.isPositive ? lowRankDpp(kernel, size) : landmarkDpp(kernel, hashes);
}

async function lowRankDpp(kernel: Kernel, size: number | null): Promise<SampledKernel> {
  const { n, logQuality, diagonal } = kernel;
  const quality = finiteQuality(logQuality);
  const low = await lowRank(
    diagonal.map((value, i) => value * quality[i] * quality[i]),
    async (i) => (await kernel.row(i)).map((value, j) => quality[i] * value * quality[j]),
    LANDMARKS,
  );
  const dpp = dualDpp(low.factor, n, low.rank);
  return {
    dpp,
    clippedMass: 0,
    residual: low.residual,
    totalVariation: dualDistance(dpp, low.residual, size),
    landmarks: low.complete ? null : low.rank,
  };
}

async function landmarkDpp(kernel: Kernel, hashes: readonly string[]): Promise<SampledKernel> {
  const { n, logQuality, diagonal } = kernel;
  const quality = finiteQuality(logQuality);
  const chosen = landmarksOf(hashes);
  const rows = new Float64Array(chosen.length * n);
  for (const [r, i] of chosen.entries()) {
    const row = await kernel.row(i);
    for (let j = 0; j < n; j++) rows[r * n + j] = quality[i] * row[j] * quality[j];
  }
  const { factor, rank, clippedMass } = nystromFactor(rows, chosen, n);
  let residual = 0;
  for (let i = 0; i < n; i++) {
    let explained = 0;
    for (let c = 0; c < rank; c++) explained += factor[i * rank + c] ** 2;
    residual += Math.max(0, diagonal[i] * quality[i] * quality[i] - explained);
  }
  return {
    dpp: dualDpp(factor, n, rank),
    clippedMass,
    residual,
    totalVariation: null,
    landmarks: chosen.length,
  };
}

/** The objective on the kernel that is sampled. */
export function sampledObjective(dpp: Dpp, { newBonus }: StrategyInput): () => GreedyObjective {
  return () =>
    objective(incrementalLogDet(dpp.diagonal(), new Float64Array(dpp.n)), async (i) => dpp.row(i), newBonus());
}
