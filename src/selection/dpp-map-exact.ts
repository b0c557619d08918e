import { exactMap } from '../dpp/exact-map.ts';
import { incrementalLogDet } from '../dpp/incremental-log-det.ts';
import { clip, clippedMass, isPositive } from '../dpp/kernel-dpp.ts';
import { symmetricEigen } from '../dpp/symmetric-eigen.ts';
import { givenKernel, type Kernel } from '../kernel/kernel.ts';
import { greedyMap } from './dpp-map.ts';
import { objective } from './objective.ts';
import { exchange } from './refine.ts';
import type { Strategy } from './strategy.ts';
import { TooManyItemsError } from './too-many-items-error.ts';

/** Items whose kernel may have to be decomposed and is searched. */
const MOST_ITEMS = 1000;

export const dppMapExact: Strategy = {
  objective: 'The set of k points with the largest log det(L_S) + mu cov(S), with a proof that there is none better.',
  cost: 'exponential at worst; often well under a second for 250 points and 12 picks; ends with its budget',
  source: 'Ko, Lee & Queyranne, Operations Research 1995',
  sizes: ['keyPoints', 'auto'],
  isSequential: false,
  isSampled: false,
  needs: { matrix: true },
  async select({ kernel, coverage, options, limit }) {
    const { n } = kernel;
    if (n > MOST_ITEMS) throw new TooManyItemsError('dpp-map-exact', n, MOST_ITEMS);
    const { part, clipped } = await positivePart(kernel);
    const { weight } = options.coverage;
    const newObjective = () =>
      objective(incrementalLogDet(part.diagonal, part.logQuality), part.row, coverage?.start() ?? null, weight);
    const greedy = await greedyMap({ newObjective, fits: () => true, limit });
    const rows = await Promise.all(Array.from({ length: n }, (_, i) => part.row(i)));
    const matrix = new Float64Array(n * n);
    rows.forEach((row, i) => {
      matrix.set(row, i * n);
    });
    const { nodes, milliseconds } = options.exact;
    const end = milliseconds === null ? Number.POSITIVE_INFINITY : performance.now() + milliseconds;
    const { items, proven, gap } = exactMap({
      kernel: matrix,
      logQuality: part.logQuality,
      coverage: coverage?.start() ?? null,
      coverageWeight: weight,
      incumbent: await exchange(greedy.items, newObjective),
      mostNodes: nodes,
      isOver: () => performance.now() >= end,
    });
    return {
      items,
      stoppedBy: proven ? greedy.stoppedBy : 'budget',
      proof: { proven, gap, clippedMass: clipped },
      newObjective,
    };
  },
};

/** The kernel itself where it is positive semi-definite, else without its negative eigenvalues. */
async function positivePart(kernel: Kernel): Promise<{ part: Kernel; clipped: number }> {
  const { n } = kernel;
  if (kernel.isPositive) return { part: kernel, clipped: 0 };
  const matrix = await kernel.matrix();
  const diagonal = Float64Array.from({ length: n }, (_, i) => matrix[i * n + i]);
  if (isPositive(matrix, diagonal, n)) return { part: kernel, clipped: 0 };
  const eigen = symmetricEigen(matrix, n);
  return { part: givenKernel(clip(eigen, n), n), clipped: clippedMass(eigen.values) };
}
