import type { Random } from './random.ts';

const FIRST = 32;

/**
 * One exact draw from the DPP of L, from the last item to the first, each given the earlier decisions (chain rule of Launay, Galerne &
 * Desolneux 2020 and Poulson 2020). With L + I = C C^T, A the items taken so far, and w = (C_am) for a in A:
 *
 *   P(m not taken | decisions) = (1 + w^T G^-1 w) / C_mm^2,   G = L_A - W^T W,
 *
 * where W holds row a of C up to column m for every a in A. Passing m adds w w^T to G; taking m adds a row (C_mm w, C_mm^2 - 1).
 * G is kept as its Cholesky factor. O(n k^2) per draw.
 *
 * @param factor C, row-major n x n; the lower triangle is read
 * @param most the draw stops once it holds more items
 * @returns the items, ascending
 */
export function sampleByChainRule(
  factor: Float64Array,
  n: number,
  random: Random,
  most = Number.POSITIVE_INFINITY,
): number[] {
  const taken: number[] = [];
  let capacity = FIRST;
  let r = new Float64Array(capacity * capacity); // G = R^T R, R upper triangular, row-major
  let inverses = new Float64Array(capacity); // 1 / R_aa
  let w = new Float64Array(capacity);
  let x = new Float64Array(capacity); // R^-T w
  for (let m = n - 1; m >= 0; m--) {
    const k = taken.length;
    const root = factor[m * n + m];
    const square = root * root;
    let s = 0;
    for (let a = 0; a < k; a++) {
      w[a] = factor[taken[a] * n + m];
      x[a] = w[a];
    }
    for (let a = 0; a < k; a++) {
      const row = a * capacity;
      const value = x[a] * inverses[a];
      x[a] = value;
      s += value * value;
      for (let b = a + 1; b < k; b++) x[b] -= r[row + b] * value;
    }
    const room = square - 1 - s; // C_mm^2 P(m taken | decisions)
    // Below its rounding it is 0: item m depends on the items taken.
    const isTaken = random() * square < room && room > 4 * n * Number.EPSILON * square;
    addOuterProduct(r, inverses, capacity, k, w);
    if (!isTaken) continue;
    if (k === capacity) {
      const wider = 2 * capacity;
      const moved = new Float64Array(wider * wider);
      for (let a = 0; a < k; a++) moved.set(r.subarray(a * capacity, (a + 1) * capacity), a * wider);
      const longer = new Float64Array(wider);
      longer.set(x);
      const longerInverses = new Float64Array(wider);
      longerInverses.set(inverses);
      [r, x, w, inverses, capacity] = [moved, longer, new Float64Array(wider), longerInverses, wider];
    }
    appendTaken(r, inverses, capacity, k, factor, n, taken, m, room / (1 + s));
    taken.push(m);
    if (taken.length > most) break;
  }
  return taken.reverse();
}

function addOuterProduct(r: Float64Array, inverses: Float64Array, capacity: number, k: number, w: Float64Array): void {
  for (let a = 0; a < k; a++) {
    const row = a * capacity;
    const before = r[row + a];
    const after = Math.sqrt(before * before + w[a] * w[a]);
    const inverse = 1 / after;
    const c = before * inverse;
    const s = w[a] * inverse;
    r[row + a] = after;
    inverses[a] = inverse;
    for (let b = a + 1; b < k; b++) {
      const value = r[row + b];
      r[row + b] = c * value + s * w[b];
      w[b] = c * w[b] - s * value;
    }
  }
}

function appendTaken(
  r: Float64Array,
  inverses: Float64Array,
  capacity: number,
  k: number,
  factor: Float64Array,
  n: number,
  taken: readonly number[],
  m: number,
  pivot: number,
): void {
  const root = factor[m * n + m];
  for (let a = 0; a < k; a++) r[a * capacity + k] = root * factor[taken[a] * n + m];
  for (let a = 0; a < k; a++) {
    const value = r[a * capacity + k] * inverses[a];
    r[a * capacity + k] = value;
    for (let b = a + 1; b < k; b++) r[b * capacity + k] -= r[a * capacity + b] * value;
  }
  r[k * capacity + k] = Math.sqrt(pivot);
  inverses[k] = 1 / r[k * capacity + k];
}
