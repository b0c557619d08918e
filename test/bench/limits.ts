import { blockMatrix } from '../../src/selection/dpp/block-matrix.ts';
import { medianTime } from './median.ts';

/** What one core does without anything around it. */
export interface BareLimits {
  /** Floating point operations of a product of matrices of doubles, 1e9 a second: the one of the decompositions. */
  readonly gflops: number;
  /** Bytes that are copied out of the second-level cache, 1e9 a second. */
  readonly copied: number;
}

const BLOCK = 256;
const CACHED = 1 << 16;
const REPEATED = 200;

export async function bareLimits(): Promise<BareLimits> {
  const matrix = blockMatrix(2 * BLOCK, BLOCK);
  matrix.values.fill(1e-3);
  const product = await medianTime(() => matrix.subtract(BLOCK, 2 * BLOCK, 0, BLOCK, 0, BLOCK), 25);
  const from = new Float64Array(CACHED).fill(1);
  const to = new Float64Array(1 << 11);
  const copy = await medianTime(() => {
    for (let turn = 0; turn < REPEATED; turn++) {
      for (let at = 0; at < CACHED; at += to.length) to.set(from.subarray(at, at + to.length));
    }
  });
  return { gflops: (2 * BLOCK ** 3) / product / 1e6, copied: (REPEATED * 8 * CACHED) / copy / 1e6 };
}

/** Milliseconds below which the work of `selectionFigures` does not come on these limits. */
export interface SelectionLimits {
  readonly greedy: number;
  readonly first: number;
  readonly further: number;
  readonly furtherFixed: number;
}

/**
 * Greedy MAP reads the columns before each pick once; a first draw is two Cholesky decompositions (is the kernel positive, and
 * L + I); a further draw projects every item on every item that is drawn.
 */
export function selectionLimits(
  { gflops, copied }: BareLimits,
  n: number,
  picks: number,
  fixedSize: number,
  expectedSize: number,
): SelectionLimits {
  return {
    greedy: (8 * n * picks * (picks - 1)) / 2 / copied / 1e6,
    first: (2 * n ** 3) / 3 / gflops / 1e6,
    further: (2 * n * expectedSize ** 2) / gflops / 1e6,
    furtherFixed: (2 * n * fixedSize ** 2) / gflops / 1e6,
  };
}
