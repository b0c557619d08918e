import { padded, scratchMatrix } from './block-matrix.ts';
import type { Random } from './random.ts';

/** A set of the requested size, ascending; else a bound on its size, from below if too large, from above if too small. */
export type FixedSizeDraw = (random: Random) => readonly number[] | { readonly items: number };

/**
 * `sampleByChainRule` for small sets of many items: candidates are drawn first, each with the upper bound q_m = 1 - 1 / C_mm^2
 * (sequential thinning, Launay, Galerne & Desolneux 2020, section 4), by exponential jumps along the sum of -log(1 - q_m).
 *
 * A candidate is taken with probability 1 - w^T G^-1 w / (C_mm^2 - 1), w = (C_am) for a in A,
 * G_ab = sum_(c > m) C_ac C_bc - I_ab: n k^2 / 3 multiplications per draw, which ends early if `size` is out of reach.
 *
 * @param factor C, row-major n x n; the lower triangle is read, and kept
 */
export function thinnedDraw(factor: Float64Array, n: number, size: number): FixedSizeDraw {
  const sums = new Float64Array(n + 1); // sums[j]: over the j last items
  for (let j = 0; j < n; j++) sums[j + 1] = sums[j] + 2 * Math.log(factor[(n - 1 - j) * n + n - 1 - j]);
  return (random) => {
    const candidates = candidatesOf(sums, n, random);
    if (candidates.length < size) return { items: candidates.length };
    const gram = growingGram(size, n);
    const r = new Float64Array(size * size);
    const x = new Float64Array(size);
    const taken: number[] = [];
    for (let place = 0; place < candidates.length; place++) {
      const left = candidates.length - place;
      if (taken.length + left < size) return { items: taken.length + left };
      const m = candidates[place];
      const square = factor[m * n + m] ** 2;
      // Below its rounding the rest of m is 0: it depends on the items taken.
      const room = (square - 1) * (1 - random());
      const most = Math.min(room, square - 1 - 4 * n * Number.EPSILON * square);
      gram.passTo(m + 1);
      if (!(explained(gram, r, x, size, m, most) < most)) continue;
      if (taken.length === size) return { items: size + 1 };
      gram.take(factor.subarray(m * n, m * n + m + 1));
      taken.push(m);
    }
    return taken.length === size ? taken.reverse() : { items: taken.length };
  };
}

function candidatesOf(sums: Float64Array, n: number, random: Random): number[] {
  const found: number[] = [];
  for (let passed = 0; ; ) {
    const target = sums[passed] - Math.log1p(-random());
    let [low, high] = [passed, n + 1]; // sums[low] <= target < sums[high]
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (sums[middle] > target) high = middle;
      else low = middle;
    }
    if (high > n) return found;
    found.push(n - high);
    passed = high;
  }
}

/** G of the items taken; `values` holds row a of its sums over the columns from `whole` on at a * stride, of C at a * stride + columns. */
function growingGram(size: number, n: number) {
  const columns = padded(size);
  const { values, stride, subtract } = scratchMatrix(columns, columns + padded(n));
  let taken = 0;
  let whole = padded(n);
  return {
    get taken() {
      return taken;
    },
    values,
    stride,
    columns,
    get whole() {
      return whole;
    },
    /** Includes the columns from `column` on, except up to three, so that they come in fours. */
    passTo(column: number): void {
      const from = padded(column);
      if (from === whole) return;
      for (let a = 0; a < taken; a += 4) subtract(a, a + 4, 0, a + 4, columns + from, columns + whole);
      whole = from;
    },
    take(row: Float64Array): void {
      const start = taken * stride;
      values.fill(0, start, start + columns);
      values.set(row, start + columns);
      values.fill(0, start + columns + row.length, start + columns + whole);
      taken++;
    },
  };
}

/** w^T G^-1 w for w = (C_am) and G over the columns after m; stops once it passes `most`. r and x are scratch. */
function explained(
  gram: ReturnType<typeof growingGram>,
  r: Float64Array,
  x: Float64Array,
  size: number,
  m: number,
  most: number,
): number {
  const { taken, values, stride, columns, whole } = gram;
  let sum = 0;
  for (let a = 0; a < taken && sum < most; a++) {
    const row = a * size;
    const own = a * stride;
    let rest = values[own + columns + m];
    let pivot = 0;
    for (let b = 0; b <= a; b++) {
      const other = b * stride;
      let value = -values[own + b];
      for (let c = columns + m + 1; c < columns + whole; c++) value += values[own + c] * values[other + c];
      const beside = b * size;
      for (let c = 0; c < b; c++) value -= r[row + c] * r[beside + c];
      if (b === a) {
        pivot = value - 1;
        break;
      }
      value /= r[beside + b];
      r[row + b] = value;
      rest -= value * x[b];
    }
    // Items taken were independent, so a pivot is at least rounding.
    r[row + a] = Math.sqrt(Math.max(pivot, Number.EPSILON));
    x[a] = rest / r[row + a];
    sum += x[a] * x[a];
  }
  return sum;
}
