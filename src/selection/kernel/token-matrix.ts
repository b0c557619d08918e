import { normalizeRows } from '../../models/index.ts';

/** Token vectors of n items in one flat matrix, in the order of the items. */
export interface TokenMatrix {
  readonly n: number;
  readonly dimensions: number;
  /** Unit vectors, row-major, all tokens x dimensions; made when they are first read. */
  readonly vectors: Float32Array;
  /** The same as they were given, where that was in eight bits a component; else null. */
  readonly eightBits: Int8Array | null;
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
  const n = items.length;
  const offsets = new Int32Array(n + 1);
  items.forEach((item, i) => {
    offsets[i + 1] = offsets[i] + item.tokenIds.length;
  });
  const tokenIds = new Int32Array(offsets[n]);
  items.forEach((item, i) => {
    tokenIds.set(item.tokenIds, offsets[i]);
  });
  const laidInto = <Vectors extends Int8Array | Float32Array>(vectors: Vectors): Vectors => {
    items.forEach(({ tokens }, i) => {
      vectors.set(tokens, offsets[i] * dimensions);
    });
    return vectors;
  };
  const size = offsets[n] * dimensions;
  if (!items.every(({ tokens }) => tokens instanceof Int8Array)) {
    const vectors = normalizeRows(laidInto(new Float32Array(size)), offsets[n], dimensions);
    return { n, dimensions, vectors, eightBits: null, tokenIds, offsets };
  }
  const eightBits = laidInto(new Int8Array(size));
  let vectors: Float32Array | undefined;
  return {
    n,
    dimensions,
    eightBits,
    tokenIds,
    offsets,
    get vectors() {
      vectors ??= normalizeRows(Float32Array.from(eightBits), offsets[n], dimensions);
      return vectors;
    },
  };
}
