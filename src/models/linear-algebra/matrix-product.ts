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
}

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
