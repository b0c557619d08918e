import { z } from 'zod';
import { exactMap } from '../dpp/exact-map.ts';
import { isPositive } from '../dpp/kernel-dpp.ts';
import { clip, clippedMass } from '../dpp/low-rank.ts';
import { symmetricEigen } from '../dpp/symmetric-eigen.ts';
import { TooManyItemsError } from '../errors.ts';
import { givenKernel, type Kernel } from '../kernel/kernel.ts';
import { greedyMap } from './dpp-map.ts';
import { objective } from './objective.ts';
import { exchange } from './refine.ts';
import type { Strategy } from './strategy.ts';

const MAX_ITEMS = 1000;

export const dppMapExact = {
  title: 'Best set, with a proof',
  line: 'Searches until no better set exists or time is up. For small numbers of key points.',
  group: 'different',
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
    labels: { nodes: 'Maximum number of sets searched', milliseconds: 'Time limit of the search, in milliseconds' },
  },
  async select({ kernel: whole, items, newBonus, limit }, { nodes, milliseconds }) {
    const n = items.length;
    if (n > MAX_ITEMS) throw new TooManyItemsError('dpp-map-exact', n, MAX_ITEMS);
    const { kernel, clipped, floors } = await positivePart(restricted(whole, items));
    const target = embedded(kernel, floors, items, whole.n);
    const newObjective = () => objective(target.kernel, newBonus(), target.floors);
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
      proof: { proven: found.proven, gap: found.gap, clippedMass: clipped },
      newObjective,
    };
  },
} satisfies Strategy<{ readonly nodes: number; readonly milliseconds: number | null }>;

function restricted(kernel: Kernel, items: readonly number[]): Kernel {
  if (items.length === kernel.n) return kernel;
  const n = items.length;
  const of = (values: Float64Array) => Float64Array.from(items, (i) => values[i]);
  return {
    ...kernel,
    n,
    diagonal: of(kernel.diagonal),
    logQuality: of(kernel.logQuality),
    row: async (i) => of(await kernel.row(items[i])),
    async matrix() {
      const whole = await kernel.matrix();
      return Float64Array.from(
        { length: n * n },
        (_, at) => whole[items[Math.floor(at / n)] * kernel.n + items[at % n]],
      );
    },
  };
}

function embedded(kernel: Kernel, floors: Float64Array | undefined, items: readonly number[], n: number) {
  const among = (values: ArrayLike<number>, fill = 0): Float64Array => {
    const out = new Float64Array(n).fill(fill);
    for (const [i, item] of items.entries()) out[item] = values[i];
    return out;
  };
  const places = new Map(items.map((item, i) => [item, i]));
  const own = floors ?? kernel.diagonal.map((value) => Math.max(items.length, 4) * Number.EPSILON * Math.abs(value));
  const rows = new Map<number, Float64Array>();
  const row = async (item: number): Promise<Float64Array> => {
    const known = rows.get(item) ?? among(await kernel.row(places.get(item) ?? -1));
    rows.set(item, known);
    return known;
  };
  return {
    kernel: { diagonal: among(kernel.diagonal), logQuality: among(kernel.logQuality), row },
    floors: among(own, Number.POSITIVE_INFINITY),
  };
}

/** The kernel without its negative eigenvalues, with rounding relative to the largest one; unchanged if it has none. */
async function positivePart(
  kernel: Kernel,
): Promise<{ kernel: Kernel; clipped: number; floors: Float64Array | undefined }> {
  const { n } = kernel;
  const unclipped = { kernel, clipped: 0, floors: undefined };
  if (kernel.isPositive) return unclipped;
  const matrix = await kernel.matrix();
  const diagonal = Float64Array.from({ length: n }, (_, i) => matrix[i * n + i]);
  if (isPositive(matrix, diagonal, n)) return unclipped;
  const eigen = symmetricEigen(matrix, n);
  const part = clip(eigen, n);
  const noise = CLIP_NOISE * n * Number.EPSILON * eigen.values.reduce((most, value) => Math.max(most, value), 0);
  const floors = Float64Array.from({ length: n }, (_, i) => noise / (part[i * n + i] || 1));
  return { kernel: givenKernel(part, n), clipped: clippedMass(eigen.values), floors };
}

const CLIP_NOISE = 10;
