/**
 * Stores the vector u of the reflection that cleared row k in its first k entries. Each pass applies the last reflection,
 * A -= u q^T + q u^T, and multiplies the result by the next u.
 *
 * @returns `beside`: beside[i] couples i and i + 1, the last entry is 0; `norms`: u . u / 2 of the reflection in row k, 0 if there is none
 */
export function tridiagonalise(a: Float64Array, n: number) {
  const beside = new Float64Array(n);
  const norms = new Float64Array(n);
  let u = new Float64Array(n); // of the last reflection; zero if none
  let q = new Float64Array(n);
  let next = new Float64Array(n);
  let product = new Float64Array(n);
  for (let k = n - 1; k > 0; k--) {
    const row = a.subarray(k * n, k * n + k);
    if (k < n - 1) {
      const [uk, qk] = [u[k], q[k]];
      for (let j = 0; j < k; j++) row[j] -= uk * q[j] + qk * u[j];
      a[k * n + k] -= 2 * uk * qk;
    }
    let rest = 0;
    for (let j = 0; j < k - 1; j++) rest += row[j] * row[j];
    const last = row[k - 1];
    next.fill(0);
    product.fill(0);
    if (rest === 0) {
      beside[k - 1] = last;
      updateAndMultiply(a, n, k, u, q, next, product);
    } else {
      const square = rest + last * last;
      const root = last > 0 ? -Math.sqrt(square) : Math.sqrt(square);
      const norm = square - last * root;
      beside[k - 1] = root;
      norms[k] = norm;
      row[k - 1] = last - root;
      next.set(row);
      updateAndMultiply(a, n, k, u, q, next, product);
      // q = p - (u . p / 2h) u with p = A u / h
      let along = 0;
      for (let i = 0; i < k; i++) {
        product[i] /= norm;
        along += next[i] * product[i];
      }
      const share = along / (2 * norm);
      for (let i = 0; i < k; i++) product[i] -= share * next[i];
    }
    [u, next] = [next, u];
    [q, product] = [product, q];
  }
  if (n > 1) a[0] -= 2 * u[0] * q[0];
  return { diagonal: Float64Array.from({ length: n }, (_, i) => a[i * n + i]), beside, norms };
}

/** On the leading k x k block, lower triangle: A -= u q^T + q u^T, and `product` = A v. */
function updateAndMultiply(
  a: Float64Array,
  n: number,
  k: number,
  u: Float64Array,
  q: Float64Array,
  v: Float64Array,
  product: Float64Array,
): void {
  let i = 0;
  for (; i + 2 <= k; i += 2) {
    const r0 = i * n;
    const r1 = r0 + n;
    const u0 = u[i];
    const u1 = u[i + 1];
    const q0 = q[i];
    const q1 = q[i + 1];
    const v0 = v[i];
    const v1 = v[i + 1];
    let s0 = 0;
    let s1 = 0;
    for (let j = 0; j < i; j++) {
      const uj = u[j];
      const qj = q[j];
      const vj = v[j];
      const x0 = a[r0 + j] - u0 * qj - q0 * uj;
      const x1 = a[r1 + j] - u1 * qj - q1 * uj;
      a[r0 + j] = x0;
      a[r1 + j] = x1;
      s0 += x0 * vj;
      s1 += x1 * vj;
      product[j] += x0 * v0 + x1 * v1;
    }
    const d0 = a[r0 + i] - 2 * u0 * q0;
    const between = a[r1 + i] - u1 * q0 - q1 * u0;
    const d1 = a[r1 + i + 1] - 2 * u1 * q1;
    a[r0 + i] = d0;
    a[r1 + i] = between;
    a[r1 + i + 1] = d1;
    product[i] += s0 + d0 * v0 + between * v1;
    product[i + 1] += s1 + d1 * v1 + between * v0;
  }
  for (; i < k; i++) {
    const start = i * n;
    let sum = 0;
    for (let j = 0; j < i; j++) {
      const x = a[start + j] - u[i] * q[j] - q[i] * u[j];
      a[start + j] = x;
      sum += x * v[j];
      product[j] += x * v[i];
    }
    a[start + i] -= 2 * u[i] * q[i];
    product[i] += sum + a[start + i] * v[i];
  }
}

/** Q = P_(n-1) ... P_2, row-major, padded with zero rows to a multiple of 4. */
export function reflectionsProduct(reflections: Float64Array, norms: Float64Array, n: number): Float64Array {
  const q = new Float64Array(4 * Math.ceil(n / 4) * n);
  for (let i = 0; i < n; i++) q[i * n + i] = 1;
  const present = Array.from({ length: n }, (_, k) => k).filter((k) => k >= 2 && norms[k] !== 0);
  let w = new Float64Array(n); // u^T Q of the reflection to apply
  let next = new Float64Array(n);
  if (present.length > 0) w.set(reflections.subarray(present[0] * n, present[0] * n + present[0]));
  present.forEach((k, place) => {
    const u = reflections.subarray(k * n, k * n + k);
    const after = present[place + 1] ?? 0;
    const v = new Float64Array(n);
    v.set(reflections.subarray(after * n, after * n + after));
    next.fill(0);
    let i = 0;
    for (; i + 2 <= k; i += 2)
      applyToTwo(q, i * n, n, k, u[i] / norms[k], u[i + 1] / norms[k], w, v[i], v[i + 1], next);
    if (i < k) applyToTwo(q, i * n, 0, k, u[i] / norms[k], 0, w, v[i], 0, next);
    for (let row = k; row < after; row++) next[row] += v[row]; // still rows of the identity
    [w, next] = [next, w];
  });
  return q;
}

function applyToTwo(
  q: Float64Array,
  start: number,
  apart: number,
  k: number,
  factor0: number,
  factor1: number,
  w: Float64Array,
  share0: number,
  share1: number,
  next: Float64Array,
): void {
  for (let j = 0, at = start, other = start + apart; j < k; j++, at++, other++) {
    const x0 = q[at] - factor0 * w[j];
    q[at] = x0;
    const x1 = q[other] - factor1 * w[j];
    q[other] = x1;
    next[j] += share0 * x0 + share1 * x1;
  }
}
