import type { EightBitRows } from '../../models/index.ts';
import { groupBy } from '../../text/index.ts';

/** Items of as many tokens, laid end to end. */
export interface TokenBlock extends EightBitRows {
  /** Which items they are. */
  readonly items: readonly number[];
}

/** Stands for a component of 0: eight bits without a sign. */
const ZERO = 128;

/**
 * Token vectors in one block for all items of as many tokens, which are made as many by repeating the last: no largest product
 * changes by that. Items without tokens are in none.
 *
 * @param tokens token vectors of eight bits a component, all items' end to end
 * @param offsets item i has the tokens offsets[i] up to offsets[i + 1]
 */
export function tokenBlocks(tokens: Int8Array, offsets: Int32Array, dimensions: number): TokenBlock[] {
  const lengthOf = (item: number): number => offsets[item + 1] - offsets[item];
  const items = Array.from({ length: offsets.length - 1 }, (_, item) => item).filter((item) => lengthOf(item) > 0);
  return [...groupBy(items, (item) => roundedUp(lengthOf(item)))]
    .sort(([a], [b]) => a - b)
    .map(([perItem, same]) => laid(same, perItem, { tokens, offsets, dimensions }));
}

/** A block in parts of at most so many tokens, or of one item that has more; views of it. */
export function partsOf(
  { items, perItem, values, scales }: TokenBlock,
  dimensions: number,
  most: number,
): TokenBlock[] {
  const step = Math.max(1, Math.floor(most / perItem));
  return Array.from({ length: Math.ceil(items.length / step) }, (_, part) => {
    const [from, to] = [part * step, Math.min(items.length, (part + 1) * step)];
    return {
      items: items.slice(from, to),
      perItem,
      values: values.subarray(from * perItem * dimensions, to * perItem * dimensions),
      scales: scales.subarray(from * perItem, to * perItem),
    };
  });
}

/** Few lengths, so that blocks are full, and little that is repeated: a quarter of an item at most. */
function roundedUp(length: number): number {
  let step = 2;
  while (length > 8 * step) step *= 2;
  return Math.ceil(length / step) * step;
}

function laid(
  items: readonly number[],
  perItem: number,
  { tokens, offsets, dimensions }: { tokens: Int8Array; offsets: Int32Array; dimensions: number },
): TokenBlock {
  const values = new Uint8Array(items.length * perItem * dimensions);
  const scales = new Float32Array(items.length * perItem);
  let row = 0;
  for (const item of items) {
    for (let t = 0; t < perItem; t++, row++) {
      const from = Math.min(offsets[item] + t, offsets[item + 1] - 1) * dimensions;
      const to = row * dimensions;
      let squares = 0;
      for (let c = 0; c < dimensions; c++) {
        const value = tokens[from + c];
        squares += value * value;
        values[to + c] = value + ZERO;
      }
      scales[row] = squares === 0 ? 0 : 1 / Math.sqrt(squares);
    }
  }
  return { items, perItem, values, scales };
}
