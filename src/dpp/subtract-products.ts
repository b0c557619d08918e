/**
 * A_ij -= sum_k A_ik A_jk for the rows i in [row, rows), the columns j in [from, to) and k in [k0, k1), in registers of 4 x 4:
 * what subtract-products.wat does, for runtimes that compile no WebAssembly.
 *
 * @param a row-major, n columns; all bounds multiples of 4
 */
export function subtractProducts(
  a: Float64Array,
  n: number,
  row: number,
  rows: number,
  from: number,
  to: number,
  k0: number,
  k1: number,
): void {
  for (let i = row; i < rows; i += 4) {
    const r0 = i * n;
    const r1 = r0 + n;
    const r2 = r1 + n;
    const r3 = r2 + n;
    for (let j = from; j < to; j += 4) {
      const c0 = j * n;
      const c1 = c0 + n;
      const c2 = c1 + n;
      const c3 = c2 + n;
      let s00 = 0;
      let s01 = 0;
      let s02 = 0;
      let s03 = 0;
      let s10 = 0;
      let s11 = 0;
      let s12 = 0;
      let s13 = 0;
      let s20 = 0;
      let s21 = 0;
      let s22 = 0;
      let s23 = 0;
      let s30 = 0;
      let s31 = 0;
      let s32 = 0;
      let s33 = 0;
      for (let k = k0; k < k1; k++) {
        const x0 = a[r0 + k];
        const x1 = a[r1 + k];
        const x2 = a[r2 + k];
        const x3 = a[r3 + k];
        const y0 = a[c0 + k];
        const y1 = a[c1 + k];
        const y2 = a[c2 + k];
        const y3 = a[c3 + k];
        s00 += x0 * y0;
        s01 += x0 * y1;
        s02 += x0 * y2;
        s03 += x0 * y3;
        s10 += x1 * y0;
        s11 += x1 * y1;
        s12 += x1 * y2;
        s13 += x1 * y3;
        s20 += x2 * y0;
        s21 += x2 * y1;
        s22 += x2 * y2;
        s23 += x2 * y3;
        s30 += x3 * y0;
        s31 += x3 * y1;
        s32 += x3 * y2;
        s33 += x3 * y3;
      }
      a[r0 + j] -= s00;
      a[r0 + j + 1] -= s01;
      a[r0 + j + 2] -= s02;
      a[r0 + j + 3] -= s03;
      a[r1 + j] -= s10;
      a[r1 + j + 1] -= s11;
      a[r1 + j + 2] -= s12;
      a[r1 + j + 3] -= s13;
      a[r2 + j] -= s20;
      a[r2 + j + 1] -= s21;
      a[r2 + j + 2] -= s22;
      a[r2 + j + 3] -= s23;
      a[r3 + j] -= s30;
      a[r3 + j + 1] -= s31;
      a[r3 + j + 2] -= s32;
      a[r3 + j + 3] -= s33;
    }
  }
}
