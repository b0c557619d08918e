import { TesseraError } from '../../contract/tessera-error.ts';

/** A strategy cannot take on so many items. */
export class TooManyItemsError extends TesseraError {
  readonly code = 'too-many-items';
  override readonly pointer = '/selection/strategy';

  constructor(strategy: string, items: number, most: number) {
    super(`The strategy "${strategy}" takes at most ${most} items; there are ${items}. A gate makes them fewer.`);
  }
}
