/** Rounds a row-major matrix to eight bits a component, each row scaled so that its largest component is 127. */
export function quantizeRows(matrix: Float32Array, rows: number, columns: number): Int8Array {
  const out = new Int8Array(rows * columns);
  for (let start = 0; start < rows * columns; start += columns) {
    let largest = 0;
    for (let c = start; c < start + columns; c++) largest = Math.max(largest, Math.abs(matrix[c]));
    if (largest === 0) continue;
    const scale = 127 / largest;
    for (let c = start; c < start + columns; c++) out[c] = Math.round(matrix[c] * scale);
  }
  return out;
}
