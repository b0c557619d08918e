import type { MatrixProduct } from '../../models/index.ts';
import { clipSimilarity, type Similarity } from './similarity.ts';
import { partsOf, type TokenBlock, type TokenMatrix, tokenBlocks } from './tokens.ts';

/** Tokens per side of a tile: a 1024 x 1024 product takes 4 MiB and is still in cache when it is reduced. */
const TILE_TOKENS = 1024;
/** Max tokens on the left of a tile with few on its right: fewer calls of the backend, 4 MiB each at 512 dimensions. */
const MAX_LEFT_TOKENS = 2048;

/** Items with flat token vectors and sets of token weights; item i has the tokens offsets[i] up to offsets[i + 1]. */
interface Side extends Pick<TokenMatrix, 'eightBits' | 'offsets'> {
  readonly weightSets: readonly Float32Array[];
  readonly vectors: () => Float32Array;
  /** The same in eight bits, in blocks; null if the vectors were given in full. */
  readonly blocks: () => readonly TokenBlock[] | null;
}

interface Maxima {
  readonly there: Float64Array;
  readonly back: Float64Array;
}

interface Tile {
  readonly from: number;
  readonly to: number;
}

/**
 * BERTScore F1 between all items (Zhang et al. 2020, equations 1-3), with token weights w:
 * R(i,j) = sum_t w(t) max_s x_it . x_js / sum_t w(t), P(i,j) = R(j,i), F1 = 2PR / (P + R), 0 if P + R <= 0.
 * Reading a matrix, or rows by the same array of indices, computes all sets of weights in one pass.
 *
 * @param weightSets each with one weight per token of `items`
 */
export function bertScores(
  items: TokenMatrix,
  weightSets: readonly Float32Array[],
  product: MatrixProduct,
): readonly Similarity[] {
  const { n, dimensions, offsets } = items;
  const all = sideOf(items, weightSets, dimensions, () => items.vectors);
  const sums = weightSets.map((weights) => sumPerItem(weights, offsets));

  async function matrices(): Promise<Float32Array[]> {
    const maxima = await weightedMaxima(all, all, dimensions, product, true);
    return maxima.map(({ there, back }, set) => {
      for (let i = 0; i < n; i++) {
        there[i * n + i] = 1;
        for (let j = i + 1; j < n; j++) {
          const value = f1(there[i * n + j] / sums[set][i], back[i * n + j] / sums[set][j]);
          there[i * n + j] = value;
          there[j * n + i] = value;
        }
      }
      return Float32Array.from(there);
    });
  }

  async function rows(indices: readonly number[]): Promise<Float32Array[]> {
    // The few go to the right, the side that has to be prepared.
    const maxima = await weightedMaxima(all, pick(all, indices, dimensions), dimensions, product, false);
    const m = indices.length;
    return maxima.map(({ there, back }, set) => {
      const out = new Float32Array(m * n);
      indices.forEach((picked, r) => {
        for (let j = 0; j < n; j++) {
          const value = f1(back[j * m + r] / sums[set][picked], there[j * m + r] / sums[set][j]);
          out[r * n + j] = picked === j ? 1 : value;
        }
      });
      return out;
    });
  }

  let whole: Promise<Float32Array[]> | undefined;
  const lastRows = new WeakMap<readonly number[], Promise<Float32Array[]>>();
  return weightSets.map((_, set) => ({
    n,
    async matrix() {
      whole ??= matrices();
      return (await whole)[set];
    },
    async rows(indices) {
      const made = lastRows.get(indices) ?? rows(indices);
      lastRows.set(indices, made);
      return (await made)[set];
    },
  }));
}

export async function bertScoreBetween(
  items: TokenMatrix,
  weights: Float32Array,
  others: TokenMatrix,
  otherWeights: Float32Array,
  product: MatrixProduct,
): Promise<Float32Array> {
  const left = sideOf(items, [weights], items.dimensions, () => items.vectors);
  const right = sideOf(others, [otherWeights], items.dimensions, () => others.vectors);
  const [{ there, back }] = await weightedMaxima(left, right, items.dimensions, product, false);
  const leftSums = sumPerItem(weights, items.offsets);
  const rightSums = sumPerItem(otherWeights, others.offsets);
  for (let i = 0; i < items.n; i++) {
    for (let j = 0; j < others.n; j++) {
      const at = i * others.n + j;
      there[at] = f1(there[at] / leftSums[i], back[at] / rightSums[j]);
    }
  }
  return Float32Array.from(there);
}

function f1(recall: number, precision: number): number {
  const sum = recall + precision;
  return sum > 0 ? clipSimilarity((2 * recall * precision) / sum) : 0; // NaN, of an item without tokens, is not > 0
}

function sideOf(
  { eightBits, offsets }: Pick<TokenMatrix, 'eightBits' | 'offsets'>,
  weightSets: readonly Float32Array[],
  dimensions: number,
  vectors: () => Float32Array,
): Side {
  return {
    weightSets,
    eightBits,
    offsets,
    vectors: once(vectors),
    blocks: once(() => eightBits && tokenBlocks(eightBits, offsets, dimensions)),
  };
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/**
 * There = sum_t w(t) max_s x_it . x_js over the tokens t of i, and back, from j to i; one result per set of weights.
 *
 * @param symmetric whether left is right: only pairs i <= j are computed
 */
async function weightedMaxima(
  left: Side,
  right: Side,
  dimensions: number,
  product: MatrixProduct,
  symmetric: boolean,
): Promise<Maxima[]> {
  const m = left.offsets.length - 1;
  const n = right.offsets.length - 1;
  const maxima = left.weightSets.map(() => ({ there: new Float64Array(m * n), back: new Float64Array(m * n) }));
  const { prepareMatches } = product;
  const blocks = prepareMatches === undefined ? null : left.blocks();
  const rightBlocks = blocks === null || symmetric ? blocks : right.blocks();
  if (prepareMatches !== undefined && blocks !== null && rightBlocks !== null) {
    await matchBlocks(left, right, [blocks, rightBlocks], dimensions, prepareMatches, maxima);
    return maxima;
  }
  const rightTokens = Math.max(1, Math.min(right.offsets[n], TILE_TOKENS));
  const leftTiles = tiles(left.offsets, Math.min(MAX_LEFT_TOKENS, TILE_TOKENS ** 2 / rightTokens));
  if (leftTiles.length === 0) return maxima;
  let reducePrevious = async (): Promise<void> => {};
  for (const columns of tiles(right.offsets, TILE_TOKENS)) {
    const prepared = await product.prepare(...tokensOf(right, columns, dimensions), dimensions);
    const rowTiles = symmetric ? leftTiles.filter((rows) => rows.from <= columns.from) : leftTiles;
    for (const rows of rowTiles) {
      const products = prepared.multiply(...tokensOf(left, rows, dimensions));
      products.catch(() => {});
      await reducePrevious();
      reducePrevious = async () => reduceTile(await products, left, rows, right, columns, maxima);
    }
  }
  await reducePrevious();
  return maxima;
}

async function matchBlocks(
  left: Side,
  right: Side,
  [leftBlocks, rightBlocks]: readonly [readonly TokenBlock[], readonly TokenBlock[]],
  dimensions: number,
  prepare: NonNullable<MatrixProduct['prepareMatches']>,
  maxima: readonly Maxima[],
): Promise<void> {
  const n = right.offsets.length - 1;
  const isSymmetric = left === right;
  const inParts = (blocks: readonly TokenBlock[], most: number) =>
    blocks.flatMap((block) => partsOf(block, dimensions, most));
  for (const [b, columns] of inParts(rightBlocks, TILE_TOKENS).entries()) {
    const matchesOf = prepare(columns, dimensions);
    const leftParts = inParts(leftBlocks, isSymmetric ? TILE_TOKENS : TILE_TOKENS ** 2 / columns.scales.length);
    for (const rows of isSymmetric ? leftParts.slice(0, b + 1) : leftParts) {
      const { there, back } = await matchesOf(rows);
      maxima.forEach((sums, set) => {
        reduceThere(there, left.weightSets[set], left.offsets, rows, columns, sums.there, n);
        reduceBack(back, right.weightSets[set], right.offsets, rows, columns, sums.back, n);
        if (isSymmetric) mirror(rows, columns, sums, n);
      });
    }
  }
}

function reduceThere(
  there: Float32Array,
  weights: Float32Array,
  offsets: Int32Array,
  rows: TokenBlock,
  columns: TokenBlock,
  into: Float64Array,
  n: number,
): void {
  const { items } = columns;
  const width = items.length;
  const sums = new Float64Array(width);
  for (let place = 0; place < rows.items.length; place++) {
    const i = rows.items[place];
    sums.fill(0);
    let from = place * rows.perItem * width;
    for (let t = offsets[i]; t < offsets[i + 1]; t++, from += width) {
      const weight = weights[t];
      for (let k = 0; k < width; k++) sums[k] += weight * there[from + k];
    }
    for (let k = 0; k < width; k++) into[i * n + items[k]] = sums[k];
  }
}

function reduceBack(
  back: Float32Array,
  weights: Float32Array,
  offsets: Int32Array,
  rows: TokenBlock,
  columns: TokenBlock,
  into: Float64Array,
  n: number,
): void {
  const width = columns.scales.length;
  for (let place = 0; place < columns.items.length; place++) {
    const j = columns.items[place];
    const first = offsets[j];
    const length = offsets[j + 1] - first;
    for (let r = 0; r < rows.items.length; r++) {
      const from = r * width + place * columns.perItem;
      let sum = 0;
      for (let s = 0; s < length; s++) sum += weights[first + s] * back[from + s];
      into[rows.items[r] * n + j] = sum;
    }
  }
}

function mirror(rows: TokenBlock, columns: TokenBlock, { there, back }: Maxima, n: number): void {
  for (const i of rows.items) {
    for (const j of columns.items) {
      back[j * n + i] = there[i * n + j];
      there[j * n + i] = back[i * n + j];
    }
  }
}

function reduceTile(
  products: Float32Array,
  left: Side,
  rows: Tile,
  right: Side,
  columns: Tile,
  maxima: readonly Maxima[],
): void {
  const n = right.offsets.length - 1;
  const row0 = left.offsets[rows.from];
  const column0 = right.offsets[columns.from];
  const width = right.offsets[columns.to] - column0;
  const columnMax = new Float32Array(width); // at most TILE_TOKENS, or one longer item
  const sets = maxima.length;
  for (let i = rows.from; i < rows.to; i++) {
    columnMax.fill(-2);
    for (let t = left.offsets[i]; t < left.offsets[i + 1]; t++) {
      const base = (t - row0) * width;
      for (let j = columns.from; j < columns.to; j++) {
        const end = right.offsets[j + 1] - column0;
        let max = -2;
        for (let c = right.offsets[j] - column0; c < end; c++) {
          const v = products[base + c];
          if (v > max) max = v;
          if (v > columnMax[c]) columnMax[c] = v;
        }
        for (let set = 0; set < sets; set++) maxima[set].there[i * n + j] += left.weightSets[set][t] * max;
      }
    }
    for (let j = columns.from; j < columns.to; j++) {
      for (let set = 0; set < sets; set++) {
        const weights = right.weightSets[set];
        let sum = 0;
        for (let s = right.offsets[j]; s < right.offsets[j + 1]; s++) sum += weights[s] * columnMax[s - column0];
        maxima[set].back[i * n + j] = sum;
      }
    }
  }
}

function tiles(offsets: Int32Array, most: number): Tile[] {
  const n = offsets.length - 1;
  const out: Tile[] = [];
  for (let from = 0; from < n; ) {
    let to = from + 1;
    while (to < n && offsets[to + 1] - offsets[from] <= most) to++;
    out.push({ from, to });
    from = to;
  }
  return out;
}

function tokensOf({ vectors, offsets }: Side, { from, to }: Tile, dimensions: number): [Float32Array, number] {
  return [vectors().subarray(offsets[from] * dimensions, offsets[to] * dimensions), offsets[to] - offsets[from]];
}

function pick({ weightSets, offsets, eightBits, vectors }: Side, indices: readonly number[], dimensions: number): Side {
  const pickedOffsets = new Int32Array(indices.length + 1);
  indices.forEach((i, r) => {
    pickedOffsets[r + 1] = pickedOffsets[r] + offsets[i + 1] - offsets[i];
  });
  const picked = <Values extends Int8Array | Float32Array>(all: Values, into: Values, width: number): Values => {
    indices.forEach((i, r) => {
      into.set(all.subarray(offsets[i] * width, offsets[i + 1] * width), pickedOffsets[r] * width);
    });
    return into;
  };
  const length = pickedOffsets[indices.length];
  return sideOf(
    {
      offsets: pickedOffsets,
      eightBits: eightBits && picked(eightBits, new Int8Array(length * dimensions), dimensions),
    },
    weightSets.map((weights) => picked(weights, new Float32Array(length), 1)),
    dimensions,
    () => picked(vectors(), new Float32Array(length * dimensions), dimensions),
  );
}

function sumPerItem(weights: Float32Array, offsets: Int32Array): Float64Array {
  const sums = new Float64Array(offsets.length - 1);
  for (let i = 0; i < sums.length; i++) {
    for (let t = offsets[i]; t < offsets[i + 1]; t++) sums[i] += weights[t];
  }
  return sums;
}
