import type { MatrixProduct, PreparedMatrix } from './matrix-product.ts';

/** Rows of B kept hot while four rows of A pass over them: 64 x 512 floats are 128 KiB. */
const BLOCK = 64;

/** Matrix products in plain JavaScript, for runtimes without a native one. Four dot products share each load of B. */
export const portable: MatrixProduct = {
  name: 'portable',
  async prepare(vectors, rows, inner): Promise<PreparedMatrix> {
    const right = vectors.slice(0, rows * inner);
    return {
      rows,
      multiply: async (left, leftRows) => multiplyTransposed(left, leftRows, right, rows, inner),
    };
  },
};

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
