import type { EightBitRows } from '../../models/index.ts';

/** Items of as many tokens, laid end to end. */
export interface TokenBlock extends EightBitRows {
  /** Which items they are. */
  readonly items: readonly number[];
}

/** Tokens of a block, unless one item has more: the products of two are 4 MiB and still in cache when they are reduced. */
const MAX_TOKENS = 1024;

/** Stands for a component of 0: eight bits without a sign. */
const ZERO = 128;

/**
 * Token vectors in blocks of items of as many tokens each, which are made as many by repeating the last: no largest product changes
 * by that. Items without tokens are in none.
 *
 * @param tokens token vectors of eight bits a component, all items' end to end
 * @param offsets item i has the tokens offsets[i] up to offsets[i + 1]
 * @param items which of them; all by default
 */
export function tokenBlocks(
  tokens: Int8Array,
  offsets: Int32Array,
  dimensions: number,
  items: readonly number[] = Array.from({ length: offsets.length - 1 }, (_, i) => i),
): TokenBlock[] {
  const lengthOf = (item: number): number => offsets[item + 1] - offsets[item];
  const byLength = new Map<number, number[]>();
  for (const item of items) {
    if (lengthOf(item) === 0) continue;
    const length = roundedUp(lengthOf(item));
    const same = byLength.get(length) ?? [];
    same.push(item);
    byLength.set(length, same);
  }
  const blocks: TokenBlock[] = [];
  for (const [perItem, same] of [...byLength].sort(([a], [b]) => a - b)) {
    const most = Math.max(1, Math.floor(MAX_TOKENS / perItem));
    for (let from = 0; from < same.length; from += most) {
      blocks.push(laid(same.slice(from, from + most), perItem, { tokens, offsets, dimensions }));
    }
  }
  return blocks;
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
