/**
 * Products of Float32 matrices of vectors, A B^T, where the same B meets many A's.
 *
 * Sums run over `inner` in an order of the backend's choosing, so results agree between backends only to Float32
 * rounding; a digest therefore records which backend it used (`engine.matrix`).
 */
export interface MatrixProduct {
  readonly name: 'portable' | 'onnxruntime';

  /**
   * Lays out B once.
   *
   * @param vectors row-major, rows x inner; read now, not kept
   */
  prepare(vectors: Float32Array, rows: number, inner: number): Promise<PreparedMatrix>;

  /**
   * Lays out the right-hand side of best matches; absent where the backend has no products of eight bits.
   *
   * @param inner components of a row
   */
  prepareMatches?(right: EightBitRows, inner: number): PreparedMatches;
}

/** Vectors of eight bits a component, whose directions count: the rows of items, each of as many. */
export interface EightBitRows {
  /** Row-major, 128 added to each component, which is within [-127, 127]. */
  readonly values: Uint8Array;
  /** 1 / the length of each row; 0 for a zero row. */
  readonly scales: Float32Array;
  /** Rows of an item. */
  readonly perItem: number;
}

/** The largest cosines between the rows of two sides. */
interface BestMatches {
  /** Of each left row with the rows of each right item, row-major, left rows x right items. */
  readonly there: Float32Array;
  /** Of each right row with the rows of each left item, row-major, left items x right rows. */
  readonly back: Float32Array;
}

/** The best matches of a left-hand side with one that is laid out. */
export type PreparedMatches = (left: EightBitRows) => Promise<BestMatches>;

/** A laid-out right-hand side. */
export interface PreparedMatrix {
  readonly rows: number;

  /**
   * A B^T.
   *
   * @param left row-major, leftRows x inner
   * @returns row-major, leftRows x rows; owned by the caller
   */
  multiply(left: Float32Array, leftRows: number): Promise<Float32Array>;
}

/**
 * The transpose of a row-major matrix.
 *
 * @returns row-major, columns x rows
 */
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
