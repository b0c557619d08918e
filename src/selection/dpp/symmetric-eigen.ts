import { NoConvergenceError } from '../errors.ts';
import { reflectionsProduct, tridiagonalise } from './tridiagonal.ts';

/** A = sum_j values[j] u_j u_j^T. */
export interface Eigen {
  /** Eigenvalues, unordered; r long. */
  readonly values: Float64Array;
  /** Row-major n x r: component i of unit eigenvector j at i r + j. */
  readonly vectors: Float64Array;
}

/**
 * Householder tridiagonalisation, then implicit QL (Golub & Van Loan, sections 8.3.1 and 8.3.3). About 7 n^3 operations.
 *
 * @param a row-major n x n; the lower triangle is read
 * @throws NoConvergenceError if an entry is not finite
 */
export function symmetricEigen(a: Float64Array, n: number): Eigen {
  const scale = scaleOf(a, n);
  const reflections = a.map((value) => value / scale);
  const { diagonal, beside, norms } = tridiagonalise(reflections, n);
  const vectors = reflectionsProduct(reflections, norms, n);
  implicitQl(diagonal, beside, (rotations) => {
    for (let row = 0; row < n; row += 4) turnFour(vectors, row * n, n, rotations);
  });
  return { values: diagonal.map((value) => value * scale), vectors: vectors.subarray(0, n * n) };
}

export function symmetricEigenvalues(a: Float64Array, n: number): Float64Array {
  const scale = scaleOf(a, n);
  const { diagonal, beside } = tridiagonalise(
    a.map((value) => value / scale),
    n,
  );
  implicitQl(diagonal, beside, () => {});
  return diagonal.map((value) => value * scale);
}

function scaleOf(a: Float64Array, n: number): number {
  let largest = 0;
  for (let i = 0; i < n; i++) {
    for (let j = 0; j <= i; j++) {
      const size = Math.abs(a[i * n + j]);
      if (!Number.isFinite(size)) throw new NoConvergenceError();
      if (size > largest) largest = size;
    }
  }
  return largest === 0 ? 1 : largest;
}

interface Rotations {
  readonly first: number;
  readonly count: number;
  readonly cosines: Float64Array;
  readonly sines: Float64Array;
}

const MAX_SWEEPS = 60;
/** Number of sweeps after which anything below the rounding noise of the whole matrix is negligible. */
const PATIENCE = 8;

/**
 * Implicit QL with Wilkinson's shift: `diagonal` becomes the eigenvalues.
 *
 * @param beside beside[i] couples i and i + 1; overwritten
 * @throws NoConvergenceError
 */
function implicitQl(diagonal: Float64Array, beside: Float64Array, apply: (rotations: Rotations) => void): void {
  const n = diagonal.length;
  const cosines = new Float64Array(n);
  const sines = new Float64Array(n);
  const size = diagonal.reduce((most, d, i) => Math.max(most, Math.abs(d) + Math.abs(beside[i])), 0);
  for (let l = 0; l < n; l++) {
    for (let sweeps = 0; ; sweeps++) {
      const floor = sweeps < PATIENCE ? 0 : Number.EPSILON * size;
      let m = l;
      while (m < n - 1 && !isNegligible(beside[m], diagonal[m], diagonal[m + 1], floor)) m++;
      if (m === l) break;
      if (sweeps === MAX_SWEEPS) throw new NoConvergenceError();
      const count = sweepDown(diagonal, beside, l, m, cosines, sines);
      if (count > 0) apply({ first: m - 1, count, cosines, sines });
    }
  }
}

function isNegligible(value: number, one: number, other: number, floor: number): boolean {
  return Math.abs(value) <= Math.max(floor, (Number.EPSILON / 2) * (Math.abs(one) + Math.abs(other)));
}

function sweepDown(
  d: Float64Array,
  e: Float64Array,
  l: number,
  m: number,
  cosines: Float64Array,
  sines: Float64Array,
): number {
  const half = (d[l + 1] - d[l]) / (2 * e[l]);
  const root = Math.sqrt(half * half + 1);
  let g = d[m] - d[l] + e[l] / (half + (half < 0 ? -root : root));
  let s = 1;
  let c = 1;
  let p = 0;
  let count = 0;
  for (let i = m - 1; i >= l; i--) {
    const f = s * e[i];
    const b = c * e[i];
    const r = Math.sqrt(f * f + g * g);
    e[i + 1] = r;
    if (r === 0) {
      d[i + 1] -= p;
      e[m] = 0;
      return count;
    }
    s = f / r;
    c = g / r;
    const next = d[i + 1] - p;
    const t = (d[i] - next) * s + 2 * c * b;
    p = s * t;
    d[i + 1] = next + p;
    g = c * t - b;
    cosines[count] = c;
    sines[count++] = s;
  }
  d[l] -= p;
  e[l] = g;
  e[m] = 0;
  return count;
}

function turnFour(z: Float64Array, at: number, n: number, { first, count, cosines, sines }: Rotations): void {
  let i0 = at + first;
  let i1 = i0 + n;
  let i2 = i1 + n;
  let i3 = i2 + n;
  let u0 = z[i0 + 1];
  let u1 = z[i1 + 1];
  let u2 = z[i2 + 1];
  let u3 = z[i3 + 1];
  for (let t = 0; t < count; t++, i0--, i1--, i2--, i3--) {
    const c = cosines[t];
    const s = sines[t];
    const x0 = z[i0];
    const x1 = z[i1];
    const x2 = z[i2];
    const x3 = z[i3];
    z[i0 + 1] = s * x0 + c * u0;
    z[i1 + 1] = s * x1 + c * u1;
    z[i2 + 1] = s * x2 + c * u2;
    z[i3 + 1] = s * x3 + c * u3;
    u0 = c * x0 - s * u0;
    u1 = c * x1 - s * u1;
    u2 = c * x2 - s * u2;
    u3 = c * x3 - s * u3;
  }
  z[i0 + 1] = u0;
  z[i1 + 1] = u1;
  z[i2 + 1] = u2;
  z[i3 + 1] = u3;
}
