import { padded, scratchMatrix } from './block-matrix.ts';

/**
 * V^T V.
 *
 * @param v row-major n x r
 * @returns row-major r x r, exactly symmetric
 */
export function gram(v: Float64Array, n: number, r: number): Float64Array {
  // Each row holds room for its products, then a column of V.
  const width = padded(r);
  const { values, stride, subtract } = scratchMatrix(width, width + padded(n));
  values.fill(0, 0, width * stride);
  for (let i = 0; i < n; i++) for (let c = 0; c < r; c++) values[c * stride + width + i] = v[i * r + c];
  subtract(0, width, 0, width, width, width + padded(n));
  const out = new Float64Array(r * r);
  for (let a = 0; a < r; a++) {
    for (let b = 0; b <= a; b++) {
      out[a * r + b] = -values[a * stride + b];
      out[b * r + a] = out[a * r + b];
    }
  }
  return out;
}

/**
 * V E.
 *
 * @param v row-major n x r
 * @param e row-major r x r
 * @returns row-major n x r
 */
export function multiply(v: Float64Array, n: number, e: Float64Array, r: number): Float64Array {
  // Room for the products, then the columns of E as rows, and below them the rows of V.
  const width = padded(r);
  const rows = width + padded(n);
  const { values, stride, subtract } = scratchMatrix(rows, 2 * width);
  values.fill(0, 0, rows * stride);
  for (let a = 0; a < r; a++) for (let b = 0; b < r; b++) values[b * stride + width + a] = e[a * r + b];
  for (let i = 0; i < n; i++) values.set(v.subarray(i * r, (i + 1) * r), (width + i) * stride + width);
  subtract(width, rows, 0, width, width, 2 * width);
  const out = new Float64Array(n * r);
  for (let i = 0; i < n; i++) for (let c = 0; c < r; c++) out[i * r + c] = -values[(width + i) * stride + c];
  return out;
}
