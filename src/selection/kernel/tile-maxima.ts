import { type Compiled, compiling, instance, reserve } from '../dpp/wasm.ts';
import { TILE_MAXIMA } from './tile-maxima-wasm.ts';

/** Largest token products between the items of a tile; views that the next tile overwrites. */
interface TileMaxima {
  /** Of each token on the left with the tokens of each item on the right: rows x items on the right. */
  readonly rows: Float32Array;
  /** Of each token on the right with the tokens of each item on the left: items on the left x columns. */
  readonly columns: Float32Array;
}

interface Exports {
  maxima(
    products: number,
    width: number,
    ends: number,
    items: number,
    leftEnds: number,
    lefts: number,
    rows: number,
    columns: number,
  ): void;
}

/** Below every cosine: the maximum over no tokens. */
const LEAST = -2;
const FLOAT = 4;

const module = compiling(TILE_MAXIMA);
let machine: ReturnType<typeof instance<Exports>> | undefined;

/**
 * The largest products of a tile, four at a time by WebAssembly, or by JavaScript where it may not be compiled; the same to the last
 * bit. The maximum over no tokens is -2.
 *
 * @param products row-major, one row for each token on the left, without NaN
 * @param leftEnds rows at which the items on the left begin, from 0, and the end of the last
 * @param ends columns at which the items on the right begin, from 0, and the end of the last
 */
export function tileMaxima(
  products: Float32Array,
  leftEnds: Int32Array,
  ends: Int32Array,
  compiled: Compiled | null = module(),
): TileMaxima {
  const [lefts, items] = [leftEnds.length - 1, ends.length - 1];
  const [height, width] = [leftEnds[lefts], ends[items]];
  if (compiled === null || width === 0) return inJavaScript(products, leftEnds, ends);
  const lengths = [products.length, height * items, lefts * width, ends.length, leftEnds.length];
  machine ??= instance<Exports>(compiled, 1);
  const { memory, exports } = machine;
  reserve(memory, Math.ceil(lengths.reduce((sum, length) => sum + length, 0) / 2));
  const [, rowsAt, columnsAt, endsAt, leftEndsAt] = lengths.map((_, part) =>
    lengths.slice(0, part).reduce((sum, length) => sum + FLOAT * length, 0),
  );
  new Float32Array(memory.buffer, 0, products.length).set(products);
  new Int32Array(memory.buffer, endsAt, ends.length).set(ends);
  new Int32Array(memory.buffer, leftEndsAt, leftEnds.length).set(leftEnds);
  exports.maxima(0, width, endsAt, items, leftEndsAt, lefts, rowsAt, columnsAt);
  return {
    rows: new Float32Array(memory.buffer, rowsAt, height * items),
    columns: new Float32Array(memory.buffer, columnsAt, lefts * width),
  };
}

function inJavaScript(products: Float32Array, leftEnds: Int32Array, ends: Int32Array): TileMaxima {
  const [lefts, items] = [leftEnds.length - 1, ends.length - 1];
  const width = ends[items];
  const rows = new Float32Array(leftEnds[lefts] * items);
  const columns = new Float32Array(lefts * width).fill(LEAST);
  for (let i = 0; i < lefts; i++) {
    for (let t = leftEnds[i]; t < leftEnds[i + 1]; t++) {
      for (let j = 0; j < items; j++) {
        let max = LEAST;
        for (let c = ends[j]; c < ends[j + 1]; c++) {
          const value = products[t * width + c];
          if (value > max) max = value;
          if (value > columns[i * width + c]) columns[i * width + c] = value;
        }
        rows[t * items + j] = max;
      }
    }
  }
  return { rows, columns };
}
