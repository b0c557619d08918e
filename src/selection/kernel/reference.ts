import { sortedBy } from '../../text/index.ts';
import { type Memory, NO_MEMORY } from './memory.ts';
import { indicesOf, type Similarity } from './similarity.ts';

/** Max items for means and sums over all of them; above, they run over landmarks, so that cost stays linear. */
export const ALL_ITEMS_LIMIT = 1000;
export const LANDMARKS = 512;
/** Max items for LANDMARKS landmarks; above, landmarks times items stays constant down to the minimum. */
const MANY_ITEMS = 4096;
const LEAST_LANDMARKS = 128;

function landmarksAmong(n: number): number {
  const most = Math.floor((LANDMARKS * MANY_ITEMS) / Math.max(1, n));
  return Math.min(LANDMARKS, Math.max(LEAST_LANDMARKS, most));
}

export interface Reference {
  readonly n: number;
  readonly indices: readonly number[];
  /** Reference-major, indices.length x n. */
  readonly similarities: Float32Array;
}

/** All items, or landmarks if there are many. @param hashes content hashes, so that item order does not matter */
export function referencesAmong(hashes: readonly string[]): number[] {
  const n = hashes.length;
  return n <= ALL_ITEMS_LIMIT ? indicesOf(n) : landmarksOf(hashes, landmarksAmong(n));
}

export async function readRows(similarity: Similarity, indices: readonly number[]): Promise<Reference> {
  return { n: similarity.n, indices, similarities: await similarity.rows(indices) };
}

/** Some rows of all of S. */
export function rowsWithin(whole: Reference, indices: readonly number[]): Reference {
  const { n } = whole;
  if (indices.length === n) return whole;
  const similarities = new Float32Array(indices.length * n);
  indices.forEach((index, r) => {
    similarities.set(rowOf(whole, index), r * n);
  });
  return { n, indices, similarities };
}

/** Row r of a reference; a view. */
export function rowOf({ n, similarities }: Reference, r: number): Float32Array {
  return similarities.subarray(r * n, (r + 1) * n);
}

export function landmarksOf(hashes: readonly string[], count: number = LANDMARKS): number[] {
  const byHash = sortedBy([...hashes.keys()], (i) => hashes[i]);
  return byHash.slice(0, count).sort((a, b) => a - b);
}

export const FLOAT = Float32Array.BYTES_PER_ELEMENT;

/** Rows of a similarity, computed one by one so that no value depends on other reads. @param reference whose rows are reused */
export function rowsOnDemand(
  similarity: Similarity,
  reference: Reference | null,
  memory: Memory = NO_MEMORY,
  name = 'row',
): (i: number) => Promise<Float32Array> {
  const known = new Map<number, Promise<Float32Array>>(
    reference?.indices.map((index, r) => [index, Promise.resolve(rowOf(reference, r))]),
  );
  return (i) => {
    const row = known.get(i) ?? memory.keep(`${name} ${i}`, '', similarity.n * FLOAT, () => similarity.rows([i]));
    known.set(i, row);
    return row;
  };
}

/** Means of S over the references, which remove hubs (vague items that resemble everything) from similarities. */
export interface Centring {
  readonly means: Float64Array;
  readonly grandMean: number;
}

export function centring({ n, indices, similarities }: Reference): Centring {
  const means = new Float64Array(n);
  for (let r = 0; r < indices.length; r++) {
    for (let i = 0; i < n; i++) means[i] += similarities[r * n + i];
  }
  let grandMean = 0;
  for (let i = 0; i < n; i++) means[i] /= Math.max(1, indices.length);
  for (const index of indices) grandMean += means[index] / indices.length;
  return { means, grandMean };
}

export function centred(similarity: number, { means, grandMean }: Centring, i: number, j: number): number {
  return similarity - means[i] - means[j] + grandMean;
}

/** The values between different items, reference by reference. */
export function offDiagonal(reference: Reference): Float32Array {
  const { n, indices } = reference;
  const apart = new Float32Array(indices.length * Math.max(0, n - 1));
  indices.forEach((index, r) => {
    const row = rowOf(reference, r);
    apart.set(row.subarray(0, index), r * (n - 1));
    apart.set(row.subarray(index + 1), r * (n - 1) + index);
  });
  return apart;
}

/** A percentile (0 to 100) of the values between different items, by the nearest rank; 0 without pairs. */
export function offDiagonalPercentile(reference: Reference, percentile: number): number {
  const values = offDiagonal(reference);
  if (values.length === 0) return 0;
  const rank = Math.ceil((percentile / 100) * values.length) - 1;
  return nthSmallest(values, Math.min(values.length - 1, Math.max(0, rank)));
}

export function offDiagonalMoments(reference: Reference): { mean: number; deviation: number } {
  const values = offDiagonal(reference);
  if (values.length === 0) return { mean: 0, deviation: 0 };
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return { mean, deviation: Math.sqrt(squares / values.length) };
}

export function nthSmallest(values: Float32Array | Float64Array, place: number): number {
  let from = 0;
  let to = values.length - 1;
  while (from < to) {
    const pivot = middleOf(values[from], values[(from + to) >> 1], values[to]);
    let low = from;
    let high = to;
    while (low <= high) {
      while (values[low] < pivot) low++;
      while (values[high] > pivot) high--;
      if (low > high) break;
      const held = values[low];
      values[low++] = values[high];
      values[high--] = held;
    }
    if (place <= high) to = high;
    else if (place >= low) from = low;
    else return values[place];
  }
  return values[place];
}

/** Places of the highest values among those meant, none of them NaN, ascending; of equal ones the first. */
export function highest(values: Float64Array, most: number, isMeant = (_: number): boolean => true): number[] {
  const meant = new Float64Array(values.length);
  let count = 0;
  for (let i = 0; i < values.length; i++) if (isMeant(i)) meant[count++] = values[i];
  const own = meant.subarray(0, count);
  const least = count > most ? nthSmallest(own, count - most) : Number.NEGATIVE_INFINITY;
  let equal = most;
  for (const value of own) if (value > least) equal--;
  const found: number[] = [];
  for (let i = 0; i < values.length; i++) {
    if (isMeant(i) && (values[i] > least || (values[i] === least && equal-- > 0))) found.push(i);
  }
  return found;
}

function middleOf(a: number, b: number, c: number): number {
  return Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));
}
