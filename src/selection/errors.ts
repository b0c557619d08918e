import { counted, TesseraError } from '../text/index.ts';

/** More items are requested than the kernel has dimensions: every such set has probability 0. */
export class RankError extends TesseraError {
  readonly code = 'above-rank';
  override readonly pointer = '/selection/size';

  constructor(size: number, rank: number) {
    super(
      `The size is ${counted(size, 'item')}, but no set of more than ${rank} has a probability above 0: the kernel has that rank.`,
    );
  }
}

export class TooManyItemsError extends TesseraError {
  readonly code = 'too-many-items';
  override readonly pointer = '/selection/strategy';

  constructor(strategy: string, items: number, most: number) {
    super(`The strategy "${strategy}" takes at most ${most} items; there are ${items}. A gate makes them fewer.`);
  }
}

/** QL did not find an eigenvalue: the matrix holds a NaN or an infinity. */
export class NoConvergenceError extends Error {}
