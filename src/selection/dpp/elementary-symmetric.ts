/**
 * Logarithms of the elementary symmetric polynomials e_l(values_1 .. values_m), for all l up to k and m up to the number of
 * values (Kulesza & Taskar 2012, algorithm 7), in log space, where neither tiny nor huge values are lost.
 *
 * @param values at least 0
 * @returns row-major (k + 1) x (values.length + 1): log e_l of the first m values at l (values.length + 1) + m
 */
export function logElementarySymmetric(values: ArrayLike<number>, k: number): Float64Array {
  const width = values.length + 1;
  const table = new Float64Array((k + 1) * width).fill(Number.NEGATIVE_INFINITY);
  table.fill(0, 0, width);
  for (let l = 1; l <= k; l++) {
    for (let m = l; m < width; m++) {
      const without = table[l * width + m - 1];
      const within = Math.log(values[m - 1]) + table[(l - 1) * width + m - 1];
      table[l * width + m] = logSum(without, within);
    }
  }
  return table;
}

/** log(exp(a) + exp(b)). */
export function logSum(a: number, b: number): number {
  const most = Math.max(a, b);
  return most === Number.NEGATIVE_INFINITY ? most : most + Math.log1p(Math.exp(Math.min(a, b) - most));
}
