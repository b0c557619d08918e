import { z } from 'zod';
import { TesseraError } from '../../text/index.ts';
import { exactMap } from '../dpp/exact-map.ts';
import { incrementalLogDet } from '../dpp/incremental-log-det.ts';
import { clip, clippedMass, isPositive } from '../dpp/kernel-dpp.ts';
import { symmetricEigen } from '../dpp/symmetric-eigen.ts';
import { givenKernel, type Kernel } from '../kernel/kernel.ts';
import { greedyMap } from './dpp-map.ts';
import { objective } from './objective.ts';
import { exchange } from './refine.ts';
import type { Strategy } from './strategy.ts';

/** A strategy cannot take on so many items. */
export class TooManyItemsError extends TesseraError {
  readonly code = 'too-many-items';
  override readonly pointer = '/selection/strategy';

  constructor(strategy: string, items: number, most: number) {
    super(`The strategy "${strategy}" takes at most ${most} items; there are ${items}. A gate makes them fewer.`);
  }
}

/** Items whose kernel may have to be decomposed and is searched. */
const MAX_ITEMS = 1000;

export const dppMapExact = {
  title: 'Best set, with a proof',
  line: 'Searches until no better set exists or time is up. For small numbers of key points.',
  group: 'different',
  chooses: 'the same optimum by branch and bound, with a proof or a gap',
  objective:
    'The set of k points with the largest log det(L_S) + mu cov(S) + nu sources(S), with a proof that there is none better.',
  cost: 'exponential at worst; often well under a second for 250 points and 12 picks; ends with its budget',
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
    // Sets that the search looks into, a few seconds for a few hundred points; no bound on time.
    defaults: { nodes: 50_000, milliseconds: null },
    labels: { nodes: 'Maximum number of sets searched', milliseconds: 'Time limit of the search, in milliseconds' },
  },
  async select({ kernel, newBonus, limit }, { nodes, milliseconds }) {
    const { n } = kernel;
    if (n > MAX_ITEMS) throw new TooManyItemsError('dpp-map-exact', n, MAX_ITEMS);
    const { part, clipped, floors } = await positivePart(kernel);
    const newObjective = () =>
      objective(incrementalLogDet(part.diagonal, part.logQuality, floors), part.row, newBonus());
    const bonus = newBonus();
    const greedy = await greedyMap({ newObjective, fits: () => true, limit });
    const rows = await Promise.all(Array.from({ length: n }, (_, i) => part.row(i)));
    const matrix = new Float64Array(n * n);
    rows.forEach((row, i) => {
      matrix.set(row, i * n);
    });
    const end = milliseconds === null ? Number.POSITIVE_INFINITY : performance.now() + milliseconds;
    const { items, proven, gap } = exactMap({
      kernel: matrix,
      logQuality: part.logQuality,
      ...(floors !== undefined && { floors }),
      ...(bonus === null &&
        n <= MAX_SPECTRAL && { bound: spectralBound(matrix, part.logQuality, greedy.items.length) }),
      bonus,
      incumbent: await exchange(greedy.items, newObjective),
      maxNodes: nodes,
      isOver: () => performance.now() >= end,
    });
    return {
      items,
      stoppedBy: proven ? greedy.stoppedBy : 'budget',
      proof: { proven, gap, clippedMass: clipped },
      newObjective,
    };
  },
} satisfies Strategy<{ readonly nodes: number; readonly milliseconds: number | null }>;

/**
 * The kernel itself where it is positive semi-definite, else without its negative eigenvalues, whose rounding is a share of
 * the largest eigenvalue rather than of each item.
 */
async function positivePart(kernel: Kernel): Promise<{ part: Kernel; clipped: number; floors?: Float64Array }> {
  const { n } = kernel;
  if (kernel.isPositive) return { part: kernel, clipped: 0 };
  const matrix = await kernel.matrix();
  const diagonal = Float64Array.from({ length: n }, (_, i) => matrix[i * n + i]);
  if (isPositive(matrix, diagonal, n)) return { part: kernel, clipped: 0 };
  const eigen = symmetricEigen(matrix, n);
  const part = clip(eigen, n);
  const noise = CLIP_NOISE * n * Number.EPSILON * eigen.values.reduce((most, value) => Math.max(most, value), 0);
  const floors = Float64Array.from({ length: n }, (_, i) => noise / (part[i * n + i] || 1));
  return { part: givenKernel(part, n), clipped: clippedMass(eigen.values), floors };
}

/** What rounding leaves of a clipped eigenvalue, in units of n eps times the largest. */
const CLIP_NOISE = 10;
/** Items up to which the eigenvalues of the whole kernel are worth their time. */
const MAX_SPECTRAL = 400;

/** log det(L_S) is at most the sum of the logarithms of the k largest eigenvalues of L (Ko, Lee & Queyranne 1995). */
function spectralBound(kernel: Float64Array, logQuality: Float64Array, k: number): number {
  const n = logQuality.length;
  const most = logQuality.reduce((largest, log) => Math.max(largest, log), Number.NEGATIVE_INFINITY);
  const quality = logQuality.map((log) => Math.exp(log - most));
  const values = symmetricEigen(
    kernel.map((value, at) => quality[Math.floor(at / n)] * value * quality[at % n]),
    n,
  ).values.sort((a, b) => b - a);
  const logs = values.slice(0, k).map((value) => Math.log(Math.max(value, Number.MIN_VALUE)));
  return logs.reduce((sum, log) => sum + log, 2 * k * most);
}
