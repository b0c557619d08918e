import type { MatrixProduct } from '../../models/index.ts';
import { lazy } from '../../text/index.ts';
import { areAll, clipSimilarity, indicesOf, type Similarity } from './similarity.ts';
import { partsOf, type TokenBlock, type TokenMatrix, tokenBlocks } from './tokens.ts';

/** Tokens per side of a part: the four steps of a 512 x 512 product take 1 MiB each and stay in a core's cache. */
const PART_TOKENS = 512;

/** Items, or some of them in any order, with sets of weights of all tokens. */
interface Side {
  readonly offsets: Int32Array;
  readonly weightSets: readonly Float32Array[];
  readonly items: readonly number[];
  readonly blocks: readonly TokenBlock[];
}

interface Maxima {
  readonly there: Float64Array;
  readonly back: Float64Array;
}

/**
 * BERTScore F1 between all items (Zhang et al. 2020, equations 1-3), with token weights w:
 * R(i,j) = sum_t w(t) max_s x_it . x_js / sum_t w(t), P(i,j) = R(j,i), F1 = 2PR / (P + R), 0 if P + R <= 0.
 * Reading rows by the same array of indices computes all sets of weights in one pass.
 *
 * @param weightSets each with one weight per token of `items`
 */
export function bertScores(
  items: TokenMatrix,
  weightSets: readonly Float32Array[],
  product: MatrixProduct,
): readonly Similarity[] {
  const { n } = items;
  const all = lazy(() => sideOf(items, weightSets));

  async function rows(indices: readonly number[]): Promise<Float32Array[]> {
    const m = indices.length;
    // The few go to the right, the side that has to be prepared.
    const right = areAll(indices, n) ? all() : sideOf(items, weightSets, indices);
    const found = await scores(all(), right, items.dimensions, product);
    return found.map((columns) => {
      const out = new Float32Array(m * n);
      indices.forEach((index, r) => {
        for (let j = 0; j < n; j++) out[r * n + j] = j === index ? 1 : columns[j * m + r];
      });
      return out;
    });
  }

  const lastRows = new WeakMap<readonly number[], Promise<Float32Array[]>>();
  return weightSets.map((_, set) => ({
    n,
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
  const [found] = await scores(sideOf(items, [weights]), sideOf(others, [otherWeights]), items.dimensions, product);
  return found;
}

function sideOf(
  tokens: TokenMatrix,
  weightSets: readonly Float32Array[],
  items: readonly number[] = indicesOf(tokens.n),
): Side {
  return { offsets: tokens.offsets, weightSets, items, blocks: tokenBlocks(tokens, items) };
}

/** F1 of every left item with every right one, row-major; one result per set of weights. */
async function scores(left: Side, right: Side, dimensions: number, product: MatrixProduct): Promise<Float32Array[]> {
  const n = right.items.length;
  const maxima = await weightedMaxima(left, right, dimensions, product);
  return maxima.map(({ there, back }, set) => {
    const leftSums = sumPerItem(left, set);
    const rightSums = sumPerItem(right, set);
    const out = new Float32Array(there.length);
    for (let i = 0, at = 0; i < leftSums.length; i++) {
      for (let j = 0; j < n; j++, at++) out[at] = f1(there[at] / leftSums[i], back[at] / rightSums[j]);
    }
    return out;
  });
}

function f1(recall: number, precision: number): number {
  const sum = recall + precision;
  return sum > 0 ? clipSimilarity((2 * recall * precision) / sum) : 0; // NaN, of an item without tokens, is not > 0
}

function sumPerItem({ items, offsets, weightSets }: Side, set: number): Float64Array {
  return Float64Array.from(items, (item) =>
    weightSets[set].subarray(offsets[item], offsets[item + 1]).reduce((sum, weight) => sum + weight, 0),
  );
}

/** There = sum_t w(t) max_s x_it . x_js over the tokens t of i, and back, from j to i; one result per set of weights. */
async function weightedMaxima(left: Side, right: Side, dimensions: number, product: MatrixProduct): Promise<Maxima[]> {
  const n = right.items.length;
  const size = left.items.length * n;
  const maxima = left.weightSets.map(() => ({ there: new Float64Array(size), back: new Float64Array(size) }));
  const isSymmetric = left === right;
  const inParts = (blocks: readonly TokenBlock[], most: number) =>
    blocks.flatMap((block) => partsOf(block, dimensions, most));
  const columnParts = inParts(right.blocks, PART_TOKENS);
  for (const [c, columns] of columnParts.entries()) {
    const matchesOf = product.prepareMatches(columns, dimensions);
    const leftParts = isSymmetric
      ? columnParts.slice(0, c + 1)
      : inParts(left.blocks, PART_TOKENS ** 2 / columns.scales.length);
    for (const rows of leftParts) {
      const { there, back } = await matchesOf(rows);
      maxima.forEach((sums, set) => {
        reduceThere(there, left, set, rows, columns, sums.there, n);
        reduceBack(back, right, set, rows, columns, sums.back, n);
        if (isSymmetric) mirror(rows, columns, sums, n);
      });
    }
  }
  return maxima;
}

function reduceThere(
  there: Float32Array,
  { weightSets, offsets }: Side,
  set: number,
  rows: TokenBlock,
  { places }: TokenBlock,
  into: Float64Array,
  n: number,
): void {
  const weights = weightSets[set];
  const width = places.length;
  const sums = new Float64Array(width);
  rows.items.forEach((item, row) => {
    sums.fill(0);
    let from = row * rows.perItem * width;
    for (let t = offsets[item]; t < offsets[item + 1]; t++, from += width) {
      const weight = weights[t];
      for (let k = 0; k < width; k++) sums[k] += weight * there[from + k];
    }
    for (let k = 0; k < width; k++) into[rows.places[row] * n + places[k]] = sums[k];
  });
}

function reduceBack(
  back: Float32Array,
  { weightSets, offsets }: Side,
  set: number,
  rows: TokenBlock,
  columns: TokenBlock,
  into: Float64Array,
  n: number,
): void {
  const weights = weightSets[set];
  const width = columns.scales.length;
  columns.items.forEach((item, column) => {
    const first = offsets[item];
    const length = offsets[item + 1] - first;
    for (let row = 0; row < rows.places.length; row++) {
      const from = row * width + column * columns.perItem;
      let sum = 0;
      for (let s = 0; s < length; s++) sum += weights[first + s] * back[from + s];
      into[rows.places[row] * n + columns.places[column]] = sum;
    }
  });
}

function mirror(rows: TokenBlock, columns: TokenBlock, { there, back }: Maxima, n: number): void {
  for (const i of rows.places) {
    for (const j of columns.places) {
      back[j * n + i] = there[i * n + j];
      there[j * n + i] = back[i * n + j];
    }
  }
}
