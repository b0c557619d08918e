/** Products A B^T in Float32 for one B and many A's. Backends agree only to rounding, so a digest records its own (`engine.matrix`). */
export interface MatrixProduct {
  readonly name: 'portable' | 'onnxruntime';

  /** Prepares B. @param vectors row-major, rows x inner; not kept */
  prepare(vectors: Float32Array, rows: number, inner: number): Promise<PreparedMatrix>;

  /** Prepares the right-hand side of best matches, the same to the bit in every backend. @param inner components per row */
  prepareMatches(right: EightBitRows, inner: number): PreparedMatches;
}

/** What eight-bit components are raised by. */
export const ZERO = 128;

export interface EightBitRows {
  /** Row-major, components of [-127, 127] plus `ZERO`. */
  readonly values: Uint8Array;
  /** 1 / length of each row; 0 for a zero row. */
  readonly scales: Float32Array;
  readonly perItem: number;
}

interface BestMatches {
  /** Max cosine of each left row with each right item, row-major, left rows x right items. */
  readonly there: Float32Array;
  /** Max cosine of each right row with each left item, row-major, left items x right rows. */
  readonly back: Float32Array;
}

export type PreparedMatches = (left: EightBitRows) => Promise<BestMatches>;

export interface PreparedMatrix {
  readonly rows: number;

  /** A B^T. @param left row-major, leftRows x inner @returns row-major, leftRows x rows; owned by the caller */
  multiply(left: Float32Array, leftRows: number): Promise<Float32Array>;
}

/** @returns row-major, columns x rows */
export function transpose(matrix: Float32Array, rows: number, columns: number): Float32Array {
  const out = new Float32Array(rows * columns);
  const block = 32; // both sides of a 32 x 32 block stay in the first-level cache
  for (let r0 = 0; r0 < rows; r0 += block) {
    const r1 = Math.min(r0 + block, rows);
    for (let c0 = 0; c0 < columns; c0 += block) {
      const c1 = Math.min(c0 + block, columns);
      for (let r = r0; r < r1; r++) {
        for (let c = c0; c < c1; c++) out[c * rows + r] = matrix[r * columns + c];
      }
    }
  }
  return out;
}

export function normalizeRows(matrix: Float32Array, rows: number, columns: number): Float32Array {
  for (let r = 0; r < rows; r++) {
    const start = r * columns;
    let sum = 0;
    for (let c = start; c < start + columns; c++) sum += matrix[c] * matrix[c];
    if (sum === 0) continue;
    const scale = 1 / Math.sqrt(sum);
    for (let c = start; c < start + columns; c++) matrix[c] *= scale;
  }
  return matrix;
}

/** Rounds to eight bits per component, each row scaled so that its largest component is 127. */
export function quantizeRows(matrix: Float32Array, rows: number, columns: number): Int8Array {
  const out = new Int8Array(rows * columns);
  for (let start = 0; start < rows * columns; start += columns) {
    let largest = 0;
    for (let c = start; c < start + columns; c++) largest = Math.max(largest, Math.abs(matrix[c]));
    if (largest === 0) continue;
    const scale = 127 / largest;
    for (let c = start; c < start + columns; c++) out[c] = Math.round(matrix[c] * scale);
  }
  return out;
}

/** Rows of B kept in cache while four rows of A pass over them: 64 x 512 floats are 128 KiB. */
const BLOCK = 64;

export const portable: MatrixProduct = {
  name: 'portable',
  async prepare(vectors, rows, inner): Promise<PreparedMatrix> {
    const right = vectors.slice(0, rows * inner);
    return {
      rows,
      multiply: async (left, leftRows) => multiplyTransposed(left, leftRows, right, rows, inner),
    };
  },
  prepareMatches(right, inner) {
    const values = signed(right.values);
    return async (left) => {
      const products = multiplyTransposed(signed(left.values), left.scales.length, values, right.scales.length, inner);
      return largestMatches(products, left, right);
    };
  },
};

function signed(values: Uint8Array): Float32Array {
  const out = new Float32Array(values.length);
  for (let i = 0; i < out.length; i++) out[i] = values[i] - ZERO;
  return out;
}

function largestMatches(products: Float32Array, left: EightBitRows, right: EightBitRows): BestMatches {
  const width = right.scales.length;
  const items = width / right.perItem;
  const there = new Float32Array(left.scales.length * items);
  const back = new Float32Array((left.scales.length / left.perItem) * width).fill(-2);
  for (let i = 0; i < left.scales.length; i++) {
    const own = Math.floor(i / left.perItem) * width;
    for (let item = 0, j = 0; item < items; item++) {
      let most = -2;
      for (const end = j + right.perItem; j < end; j++) {
        const cosine = Math.fround(products[i * width + j] * Math.fround(left.scales[i] * right.scales[j]));
        if (cosine > most) most = cosine;
        if (cosine > back[own + j]) back[own + j] = cosine;
      }
      there[i * items + item] = most;
    }
  }
  return { there, back };
}

function multiplyTransposed(
  a: Float32Array,
  aRows: number,
  b: Float32Array,
  bRows: number,
  inner: number,
): Float32Array {
  const out = new Float32Array(aRows * bRows);
  const whole = aRows - (aRows % 4);
  for (let j0 = 0; j0 < bRows; j0 += BLOCK) {
    const j1 = Math.min(j0 + BLOCK, bRows);
    for (let i = 0; i < whole; i += 4) {
      const a0 = i * inner;
      const a1 = a0 + inner;
      const a2 = a1 + inner;
      const a3 = a2 + inner;
      for (let j = j0; j < j1; j++) {
        const bj = j * inner;
        let s0 = 0;
        let s1 = 0;
        let s2 = 0;
        let s3 = 0;
        for (let t = 0; t < inner; t++) {
          const v = b[bj + t];
          s0 += a[a0 + t] * v;
          s1 += a[a1 + t] * v;
          s2 += a[a2 + t] * v;
          s3 += a[a3 + t] * v;
        }
        const o = i * bRows + j;
        out[o] = s0;
        out[o + bRows] = s1;
        out[o + 2 * bRows] = s2;
        out[o + 3 * bRows] = s3;
      }
    }
    for (let i = whole; i < aRows; i++) {
      for (let j = j0; j < j1; j++) {
        let s = 0;
        for (let t = 0; t < inner; t++) s += a[i * inner + t] * b[j * inner + t];
        out[i * bRows + j] = s;
      }
    }
  }
  return out;
}
