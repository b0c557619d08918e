import { expectedSize } from '../../src/selection/dpp/dpp.ts';
import { type KernelDpp, kernelDpp } from '../../src/selection/dpp/kernel-dpp.ts';
import { seededRandom } from '../../src/selection/index.ts';
import { greedyMap } from '../../src/selection/strategies/dpp-map.ts';
import { objective } from '../../src/selection/strategies/objective.ts';
import { medianTime } from './median.ts';

export const PICKS = 50;
export const FIXED_SIZE = 20;

/** Milliseconds of the work that `bench:peers` compares, on a dense kernel. */
export interface SelectionFigures {
  readonly greedy: { readonly ms: number; readonly items: readonly number[] };
  readonly firstDraw: number;
  readonly furtherDraw: number;
  readonly firstFixed: number;
  readonly furtherFixed: number;
  readonly marginals: number;
  readonly expectedSize: number;
  readonly path: string;
  /** Bound on the total variation distance from an exact draw. */
  readonly totalVariation: number;
}

/** Measures one kernel: first draws from the bare matrix, further ones from what the first left. */
export async function selectionFigures(kernel: Float64Array, n: number): Promise<SelectionFigures> {
  const random = seededRandom(1);
  const ones = new Float64Array(n).fill(1);
  const quality = new Float64Array(n);
  const greedy = () =>
    greedyMap({
      newObjective: () =>
        objective({ diagonal: ones, logQuality: quality, row: async (i) => kernel.subarray(i * n, (i + 1) * n) }, null),
      items: [...ones.keys()],
      fits: () => true,
      limit: PICKS,
    });
  const firstRuns = n < 1000 ? 25 : 5;
  const made = await dppOf(kernel, n);
  made.dpp.sampleOfSize(FIXED_SIZE, random);
  return {
    greedy: { ms: await medianTime(greedy, 100), items: (await greedy()).items },
    firstDraw: await medianTime(async () => (await dppOf(kernel, n)).dpp.sample(random), firstRuns),
    furtherDraw: await medianTime(() => made.dpp.sample(random), 25),
    firstFixed: await medianTime(async () => (await dppOf(kernel, n)).dpp.sampleOfSize(FIXED_SIZE, random), firstRuns),
    furtherFixed: await medianTime(() => made.dpp.sampleOfSize(FIXED_SIZE, random), 100),
    marginals: await medianTime(async () => (await dppOf(kernel, n)).dpp.marginals(), 2),
    expectedSize: expectedSize(made.dpp),
    path: made.path,
    totalVariation: made.totalVariation(null),
  };
}

async function dppOf(kernel: Float64Array, n: number): Promise<KernelDpp> {
  const made = await kernelDpp(kernel, n, { size: FIXED_SIZE });
  if (made === null) throw new Error('a kernel of the benchmark is not positive semi-definite');
  return made;
}
