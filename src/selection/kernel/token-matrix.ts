import { normalizeRows } from '../../models/index.ts';

/** Token vectors of n items in one flat matrix, in the order of the items. */
export interface TokenMatrix {
  readonly n: number;
  readonly dimensions: number;
  /** Unit vectors, row-major, all tokens x dimensions. */
  readonly vectors: Float32Array;
  readonly tokenIds: Int32Array;
  /** Item i has the tokens offsets[i] up to offsets[i + 1]; n + 1 long. */
  readonly offsets: Int32Array;
}

/**
 * Lays the tokens of several items one after the other, as unit vectors.
 *
 * @param items token vectors whose directions count, of any length, row-major tokens x dimensions
 */
export function tokenMatrix(
  items: readonly { readonly tokens: ArrayLike<number>; readonly tokenIds: Int32Array }[],
  dimensions: number,
): TokenMatrix {
  const offsets = new Int32Array(items.length + 1);
  items.forEach((item, i) => {
    offsets[i + 1] = offsets[i] + item.tokenIds.length;
  });
  const vectors = new Float32Array(offsets[items.length] * dimensions);
  const tokenIds = new Int32Array(offsets[items.length]);
  items.forEach((item, i) => {
    vectors.set(item.tokens, offsets[i] * dimensions);
    tokenIds.set(item.tokenIds, offsets[i]);
  });
  normalizeRows(vectors, offsets[items.length], dimensions);
  return { n: items.length, dimensions, vectors, tokenIds, offsets };
}
