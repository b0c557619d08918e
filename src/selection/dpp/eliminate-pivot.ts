/**
 * What eliminate-pivot.wat does, to the last bit, for runtimes that compile no WebAssembly and for few items.
 *
 * @param values laid out as there
 * @param n items, a multiple of 64
 * @param count columns before the new one
 * @param item that is pivoted on
 * @param scale of the new column
 */
export function eliminatePivot(values: Float64Array, n: number, count: number, item: number, scale: number): void {
  const own = values.subarray((5 + count) * n, (6 + count) * n);
  subtractColumns(values, n, count, item, own);
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

/** own -= sum_p columns[p][item] columns[p], eight at a time: it is written once for eight that are read. */
function subtractColumns(values: Float64Array, n: number, count: number, item: number, own: Float64Array): void {
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
    const f0 = c0[item];
    const f1 = c1[item];
    const f2 = c2[item];
    const f3 = c3[item];
    const f4 = c4[item];
    const f5 = c5[item];
    const f6 = c6[item];
    const f7 = c7[item];
    for (let j = 0; j < n; j++) {
      const first = f0 * c0[j] + f1 * c1[j] + (f2 * c2[j] + f3 * c3[j]);
      const second = f4 * c4[j] + f5 * c5[j] + (f6 * c6[j] + f7 * c7[j]);
      own[j] -= first + second;
    }
  }
  for (; p < count; p++) {
    const c = column(p);
    const f = c[item];
    for (let j = 0; j < n; j++) own[j] -= f * c[j];
  }
}
