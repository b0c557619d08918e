/**
 * A_ij -= sum_k A_ik A_jk for the rows i in [row, rows), the columns j in [from, to) and k in [k0, k1), four rows by two columns at
 * a time, even and odd k apart: what subtract-products.wat does, to the last bit, for runtimes that compile no WebAssembly.
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
    for (let j = from; j < to; j += 2) {
      const c0 = j * n;
      const c1 = c0 + n;
      let even00 = 0;
      let odd00 = 0;
      let even01 = 0;
      let odd01 = 0;
      let even10 = 0;
      let odd10 = 0;
      let even11 = 0;
      let odd11 = 0;
      let even20 = 0;
      let odd20 = 0;
      let even21 = 0;
      let odd21 = 0;
      let even30 = 0;
      let odd30 = 0;
      let even31 = 0;
      let odd31 = 0;
      for (let k = k0; k < k1; k += 2) {
        const y0 = a[c0 + k];
        const z0 = a[c0 + k + 1];
        const y1 = a[c1 + k];
        const z1 = a[c1 + k + 1];
        const u0 = a[r0 + k];
        const v0 = a[r0 + k + 1];
        even00 += u0 * y0;
        odd00 += v0 * z0;
        even01 += u0 * y1;
        odd01 += v0 * z1;
        const u1 = a[r1 + k];
        const v1 = a[r1 + k + 1];
        even10 += u1 * y0;
        odd10 += v1 * z0;
        even11 += u1 * y1;
        odd11 += v1 * z1;
        const u2 = a[r2 + k];
        const v2 = a[r2 + k + 1];
        even20 += u2 * y0;
        odd20 += v2 * z0;
        even21 += u2 * y1;
        odd21 += v2 * z1;
        const u3 = a[r3 + k];
        const v3 = a[r3 + k + 1];
        even30 += u3 * y0;
        odd30 += v3 * z0;
        even31 += u3 * y1;
        odd31 += v3 * z1;
      }
      a[r0 + j] -= even00 + odd00;
      a[r0 + j + 1] -= even01 + odd01;
      a[r1 + j] -= even10 + odd10;
      a[r1 + j + 1] -= even11 + odd11;
      a[r2 + j] -= even20 + odd20;
      a[r2 + j + 1] -= even21 + odd21;
      a[r3 + j] -= even30 + odd30;
      a[r3 + j + 1] -= even31 + odd31;
    }
  }
}
