import { type EightBitRows, ZERO } from '../../models/index.ts';
import { groupBy, inverseFrequency } from '../../text/index.ts';

export interface TokenMatrix {
  readonly n: number;
  readonly dimensions: number;
  /** Eight bits per component, row-major, all tokens x dimensions. */
  readonly tokens: Int8Array;
  readonly tokenIds: Int32Array;
  /** Item i has the tokens offsets[i] up to offsets[i + 1]; n + 1 long. */
  readonly offsets: Int32Array;
}

export function tokenMatrix(
  items: readonly { readonly tokens: Int8Array; readonly tokenIds: Int32Array }[],
  dimensions: number,
): TokenMatrix {
  const offsets = new Int32Array(items.length + 1);
  items.forEach((item, i) => {
    offsets[i + 1] = offsets[i] + item.tokenIds.length;
  });
  const tokenIds = new Int32Array(offsets[items.length]);
  const tokens = new Int8Array(tokenIds.length * dimensions);
  items.forEach((item, i) => {
    tokenIds.set(item.tokenIds, offsets[i]);
    tokens.set(item.tokens, offsets[i] * dimensions);
  });
  return { n: items.length, dimensions, tokens, tokenIds, offsets };
}

/**
 * Token weights idf^p, idf = log((n + 1) / (df + 1)) (Zhang et al. 2020, section 3; the power is Tessera's).
 *
 * @returns one weight per token of `items`; 1 for all tokens of an item whose weights sum to 0
 */
export function tokenWeights(reference: TokenMatrix, power: number, items = reference): Float32Array {
  const { tokenIds, offsets } = items;
  const weights = new Float32Array(tokenIds.length).fill(1);
  if (power === 0) return weights;
  const idsOf = ({ tokenIds, offsets }: TokenMatrix) =>
    Array.from({ length: offsets.length - 1 }, (_, i) => tokenIds.subarray(offsets[i], offsets[i + 1]));
  const inverse = inverseFrequency(idsOf(reference));
  for (let i = 0; i < items.n; i++) {
    let sum = 0;
    for (let t = offsets[i]; t < offsets[i + 1]; t++) {
      weights[t] = inverse(tokenIds[t]) ** power;
      sum += weights[t];
    }
    if (sum === 0) weights.fill(1, offsets[i], offsets[i + 1]);
  }
  return weights;
}

/** Items in a row, each padded to the same number of tokens. */
export interface TokenBlock extends EightBitRows {
  readonly items: readonly number[];
  /** Where each stands among all that were asked for. */
  readonly places: readonly number[];
}

/**
 * Groups items into blocks of equal length, padded with the last token, which changes no maximum. Omits items without tokens.
 *
 * @param asked items, which may repeat
 */
export function tokenBlocks(matrix: TokenMatrix, asked: readonly number[]): TokenBlock[] {
  const { offsets } = matrix;
  const lengthOf = (place: number): number => offsets[asked[place] + 1] - offsets[asked[place]];
  const places = [...asked.keys()].filter((place) => lengthOf(place) > 0);
  return [...groupBy(places, (place) => roundedUp(lengthOf(place)))]
    .sort(([a], [b]) => a - b)
    .map(([perItem, same]) => {
      const items = same.map((place) => asked[place]);
      return { items, places: same, perItem, ...laid(items, perItem, matrix) };
    });
}

export function partsOf(block: TokenBlock, dimensions: number, most: number): TokenBlock[] {
  const { items, places, perItem, values, scales } = block;
  const step = Math.max(1, Math.floor(most / perItem));
  return Array.from({ length: Math.ceil(items.length / step) }, (_, part) => {
    const [from, to] = [part * step, Math.min(items.length, (part + 1) * step)];
    return {
      items: items.slice(from, to),
      places: places.slice(from, to),
      perItem,
      values: values.subarray(from * perItem * dimensions, to * perItem * dimensions),
      scales: scales.subarray(from * perItem, to * perItem),
    };
  });
}

function roundedUp(length: number): number {
  let step = 2;
  while (length > 8 * step) step *= 2;
  return Math.ceil(length / step) * step;
}

function laid(items: readonly number[], perItem: number, { tokens, offsets, dimensions }: TokenMatrix) {
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
  return { values, scales };
}
