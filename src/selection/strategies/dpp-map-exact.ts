import { EigenvalueDecomposition, Matrix } from 'ml-matrix';
import { z } from 'zod';
import { memoized } from '../../text/index.ts';
import { isPositive } from '../dpp/kernel-dpp.ts';
import { clip, clippedMass } from '../dpp/low-rank.ts';
import { TooManyItemsError } from '../errors.ts';
import { givenKernel } from '../kernel/kernel.ts';
import { greedyMap } from './dpp-map.ts';
import { exactMap } from './exact-map.ts';
import { objective } from './objective.ts';
import { exchange } from './refine.ts';
import type { Strategy, StrategyInput } from './strategy.ts';

const MAX_ITEMS = 1000;

export const dppMapExact = {
  objective:
    'The set of k points with the largest log det(L_S) + mu cov(S) + nu sources(S), with a proof that there is none better.',
  source: 'Ko, Lee & Queyranne, Operations Research 1995',
  sizes: ['keyPoints', 'auto'],
  isSequential: false,
  isSampled: false,
  needs: { matrix: true },
  own: {
    key: 'exact' as const,
    request: z
      .strictObject({
        nodes: z.int().min(1).max(1e8).optional(),
        milliseconds: z.int().min(1).max(600_000).nullable().optional(),
      })
      .optional()
      .describe('What `dpp-map-exact` may spend before it answers with the best set so far and its gap.'),
    answer: z.object({ nodes: z.int(), milliseconds: z.number().nullable() }),
    // A few seconds for a few hundred points; no time limit.
    defaults: { nodes: 50_000, milliseconds: null },
  },
  async select(input, { nodes, milliseconds }) {
    const { items, newBonus, limit } = input;
    if (items.length > MAX_ITEMS) throw new TooManyItemsError('dpp-map-exact', items.length, MAX_ITEMS);
    const clipped = await clippedKernel(input);
    const newObjective = () =>
      clipped === null ? input.newObjective() : objective(clipped.kernel, newBonus(), clipped.floors);
    const greedy = await greedyMap({ newObjective, items, fits: () => true, limit });
    const end = milliseconds === null ? Number.POSITIVE_INFINITY : performance.now() + milliseconds;
    const found = await exactMap({
      items,
      newObjective,
      incumbent: await exchange(greedy.items, newObjective),
      maxNodes: nodes,
      isOver: () => performance.now() >= end,
    });
    return {
      items: found.items,
      stoppedBy: found.proven ? greedy.stoppedBy : 'budget',
      proof: { proven: found.proven, gap: found.gap, clippedMass: clipped?.mass ?? 0 },
      newObjective,
    };
  },
} satisfies Strategy<{ readonly nodes: number; readonly milliseconds: number | null }>;

const CLIP_NOISE = 10;

/** The kernel of the items without its negative eigenvalues, with rounding relative to the largest one; null if it has none. */
async function clippedKernel({ kernel, items }: StrategyInput) {
  if (kernel.isPositive) return null;
  const n = items.length;
  const whole = await kernel.matrix();
  const at = (i: number, j: number): number => whole[items[i] * kernel.n + items[j]];
  const matrix = Float64Array.from({ length: n * n }, (_, place) => at(Math.floor(place / n), place % n));
  const diagonal = Float64Array.from(items, (_, i) => at(i, i));
  if (isPositive(matrix, diagonal, n)) return null;
  const { realEigenvalues, eigenvectorMatrix } = new EigenvalueDecomposition(Matrix.from1DArray(n, n, [...matrix]), {
    assumeSymmetric: true,
  });
  const eigen = {
    values: Float64Array.from(realEigenvalues),
    vectors: Float64Array.from(eigenvectorMatrix.to1DArray()),
  };
  const values = clip(eigen, n);
  const part = givenKernel(values, n);
  const noise = CLIP_NOISE * n * Number.EPSILON * eigen.values.reduce((most, value) => Math.max(most, value), 0);
  // Other items have no volume, so that they are never picked.
  const among = (own: (i: number) => number): Float64Array => {
    const out = new Float64Array(kernel.n);
    for (const [i, item] of items.entries()) out[item] = own(i);
    return out;
  };
  const rowOf = memoized((item: number) => part.row(items.indexOf(item)));
  const row = async (item: number): Promise<Float64Array> => {
    const own = await rowOf(item);
    return among((i) => own[i]);
  };
  return {
    mass: clippedMass(eigen.values),
    kernel: { diagonal: among((i) => part.diagonal[i]), logQuality: among((i) => part.logQuality[i]), row },
    floors: among((i) => noise / (values[i * n + i] || 1)),
  };
}
