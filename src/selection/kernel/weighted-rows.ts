/**
 * W A: sums of the rows of A, each by its weight.
 *
 * @param weights row-major, sums x rows of a
 * @param a row-major, rows x length
 * @returns row-major, sums x length
 */
export function weightedRows(weights: Float64Array, a: Float64Array, length: number): Float64Array {
  const rows = a.length / length;
  const sums = weights.length / rows;
  const summed = new Float64Array(sums * length);
  for (let i = 0; i < rows; i++) {
    const from = i * length;
    for (let c = 0; c < sums; c++) {
      const weight = weights[c * rows + i];
      const to = c * length;
      for (let k = 0; k < length; k++) summed[to + k] += weight * a[from + k];
    }
  }
  return summed;
}
