/**
 * What eliminate-pivot.wat exports as `eliminate`, to the last bit, for runtimes that compile no WebAssembly and for few items.
 *
 * @param values laid out as there
 * @param n items, a multiple of 64
 * @param count columns before the new one
 * @param item that is pivoted on
 * @param scale of the new column
 */
export function eliminatePivot(values: Float64Array, n: number, count: number, item: number, scale: number): void {
  for (let p = 0; p < count; p++) values[3 * n + p] = values[(5 + p) * n + item];
  combineColumns(values, n, count, scale);
}

/** The same of what it exports as `combine`. */
export function combineColumns(values: Float64Array, n: number, count: number, scale: number): void {
  const own = values.subarray((5 + count) * n, (6 + count) * n);
  subtractColumns(values, n, count, own);
  for (let from = 0; from < n; from += 64) {
    let even = 0;
    let odd = 0;
    for (let j = from; j < from + 64; j += 2) {
      even = Math.max(even, passed(values, n, own, j, scale));
      odd = Math.max(odd, passed(values, n, own, j + 1, scale));
    }
    values[4 * n + from / 64] = Math.max(even, odd);
  }
}

/** Scales the coordinate of an item and takes it from its residual; returns what that is worth where it is above its floor. */
function passed(values: Float64Array, n: number, own: Float64Array, j: number, scale: number): number {
  const coordinate = own[j] * scale;
  own[j] = coordinate;
  const residual = values[j] - coordinate * coordinate;
  values[j] = residual;
  return residual > values[n + j] ? residual * values[2 * n + j] : 0;
}

/** own -= sum_p coefficients[p] columns[p], eight at a time: it is written once for eight that are read. */
function subtractColumns(values: Float64Array, n: number, count: number, own: Float64Array): void {
  const f = values.subarray(3 * n, 4 * n);
  const column = (p: number): Float64Array => values.subarray((5 + p) * n, (6 + p) * n);
  let p = 0;
  for (; p + 8 <= count; p += 8) {
    const c0 = column(p);
    const c1 = column(p + 1);
    const c2 = column(p + 2);
    const c3 = column(p + 3);
    const c4 = column(p + 4);
    const c5 = column(p + 5);
    const c6 = column(p + 6);
    const c7 = column(p + 7);
    const f0 = f[p];
    const f1 = f[p + 1];
    const f2 = f[p + 2];
    const f3 = f[p + 3];
    const f4 = f[p + 4];
    const f5 = f[p + 5];
    const f6 = f[p + 6];
    const f7 = f[p + 7];
    for (let j = 0; j < n; j++) {
      const first = f0 * c0[j] + f1 * c1[j] + (f2 * c2[j] + f3 * c3[j]);
      const second = f4 * c4[j] + f5 * c5[j] + (f6 * c6[j] + f7 * c7[j]);
      own[j] -= first + second;
    }
  }
  for (; p < count; p++) {
    const c = column(p);
    const factor = f[p];
    for (let j = 0; j < n; j++) own[j] -= factor * c[j];
  }
}
