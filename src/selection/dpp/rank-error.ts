import { TesseraError } from '../../text/index.ts';

/** More items are asked for than the kernel has dimensions: every such set has probability 0. */
export class RankError extends TesseraError {
  readonly code = 'above-rank';
  override readonly pointer = '/selection/size';

  constructor(size: number, rank: number) {
    super(
      `${size} items are asked for, but no set of more than ${rank} has a probability above 0: the kernel has that rank.`,
    );
  }
}
