import { blockMatrix } from '../../src/selection/dpp/block-matrix.ts';
import { medianTime } from './median.ts';

const BLOCK = 256;

/** What one core computes with nothing around it: 1e9 floating point operations a second of a product of matrices of doubles. */
export async function bareProducts(): Promise<number> {
  const matrix = blockMatrix(2 * BLOCK, BLOCK);
  matrix.values.fill(1e-3);
  const product = await medianTime(() => matrix.subtract(BLOCK, 2 * BLOCK, 0, BLOCK, 0, BLOCK), 25);
  return (2 * BLOCK ** 3) / product / 1e6;
}

/** Milliseconds that the operations of `selectionFigures` take at the rate of bare products. */
export interface SelectionLimits {
  readonly greedy: number;
  readonly first: number;
  readonly further: number;
  readonly furtherFixed: number;
}

/**
 * Greedy MAP multiplies the columns before each pick; a first draw is two Cholesky decompositions (is the kernel positive, and
 * L + I); a further draw projects every item on every item that is drawn.
 */
export function selectionLimits(
  gflops: number,
  n: number,
  picks: number,
  fixedSize: number,
  expectedSize: number,
): SelectionLimits {
  return {
    greedy: (n * picks * (picks - 1)) / gflops / 1e6,
    first: (2 * n ** 3) / 3 / gflops / 1e6,
    further: (2 * n * expectedSize ** 2) / gflops / 1e6,
    furtherFixed: (2 * n * fixedSize ** 2) / gflops / 1e6,
  };
}
