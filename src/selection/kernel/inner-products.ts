/** Rows of B, and numbers of each, that are gone through at a time: 128 kB, which stay in a processor's cache. */
const BLOCK = { rows: 64, length: 256 };

/**
 * A B^T of two matrices of rows that lie one after another: the inner product of every row of A with every row of B, in double
 * precision. Four rows by four at a time, so that each number read is used four times.
 *
 * @param a row-major, rows x length
 * @param b row-major, rows x length
 * @returns row-major, rows of a x rows of b
 */
export function innerProducts(a: Float64Array, b: Float64Array, length: number): Float64Array {
  const rows = a.length / length;
  const columns = b.length / length;
  const products = new Float64Array(rows * columns);
  // Of a matrix with itself each product is found once.
  const isOwn = a === b;
  for (let from = 0; from < length; from += BLOCK.length) {
    const part = { length, from, to: Math.min(length, from + BLOCK.length) };
    for (let block = 0; block < columns; block += BLOCK.rows) {
      const end = Math.min(columns, block + BLOCK.rows);
      for (let i = 0; i < (isOwn ? end : rows); i += 4) {
        for (let j = isOwn ? Math.max(i, block) : block; j < end; j += 4) {
          if (i + 4 <= rows && j + 4 <= columns) fourByFour(a, b, part, i, j, products, columns);
          else oneByOne(a, b, part, i, j, products, columns);
        }
      }
    }
  }
  if (isOwn) mirror(products, rows);
  return products;
}

/** Which numbers of each row are multiplied. */
interface Part {
  readonly length: number;
  readonly from: number;
  readonly to: number;
}

function fourByFour(
  a: Float64Array,
  b: Float64Array,
  { length, from, to }: Part,
  row: number,
  column: number,
  products: Float64Array,
  columns: number,
): void {
  let [s00, s01, s02, s03, s10, s11, s12, s13] = [0, 0, 0, 0, 0, 0, 0, 0];
  let [s20, s21, s22, s23, s30, s31, s32, s33] = [0, 0, 0, 0, 0, 0, 0, 0];
  const [a0, a1, a2, a3] = [row * length, (row + 1) * length, (row + 2) * length, (row + 3) * length];
  const [b0, b1, b2, b3] = [column * length, (column + 1) * length, (column + 2) * length, (column + 3) * length];
  for (let k = from; k < to; k++) {
    const x0 = a[a0 + k];
    const x1 = a[a1 + k];
    const x2 = a[a2 + k];
    const x3 = a[a3 + k];
    const y0 = b[b0 + k];
    const y1 = b[b1 + k];
    const y2 = b[b2 + k];
    const y3 = b[b3 + k];
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
  add(products, row * columns + column, s00, s01, s02, s03);
  add(products, (row + 1) * columns + column, s10, s11, s12, s13);
  add(products, (row + 2) * columns + column, s20, s21, s22, s23);
  add(products, (row + 3) * columns + column, s30, s31, s32, s33);
}

function add(products: Float64Array, at: number, s0: number, s1: number, s2: number, s3: number): void {
  products[at] += s0;
  products[at + 1] += s1;
  products[at + 2] += s2;
  products[at + 3] += s3;
}

/** The products of up to four rows by four, at the edges. */
function oneByOne(
  a: Float64Array,
  b: Float64Array,
  { length, from, to }: Part,
  row: number,
  column: number,
  products: Float64Array,
  columns: number,
): void {
  const rows = a.length / length;
  for (let i = row; i < Math.min(rows, row + 4); i++) {
    for (let j = column; j < Math.min(columns, column + 4); j++) {
      let sum = 0;
      for (let k = from; k < to; k++) sum += a[i * length + k] * b[j * length + k];
      products[i * columns + j] += sum;
    }
  }
}

/** Copies what is above the diagonal below it. */
function mirror(matrix: Float64Array, n: number): void {
  for (let i = 0; i < n; i++) for (let j = 0; j < i; j++) matrix[i * n + j] = matrix[j * n + i];
}
