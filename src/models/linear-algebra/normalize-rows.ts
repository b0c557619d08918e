/** Scales every row of a row-major matrix to unit length, in place; a zero row stays zero. */
export function normalizeRows(matrix: Float32Array, rows: number, columns: number): Float32Array {
  for (let r = 0; r < rows; r++) {
    const start = r * columns;
    let sum = 0;
    for (let c = start; c < start + columns; c++) sum += matrix[c] * matrix[c];
    if (sum === 0) continue;
    const scale = 1 / Math.sqrt(sum);
    for (let c = start; c < start + columns; c++) matrix[c] *= scale;
  }
  return matrix;
}
