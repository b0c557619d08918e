import type { Turns } from './rotations.ts';

/** A matrix has an eigenvalue that QL did not find: it holds a NaN or an infinity. */
export class NoConvergenceError extends Error {}

const MAX_SWEEPS = 60;

/** After so many sweeps what is left is rounding noise of the whole matrix. */
const PATIENCE = 8;

/**
 * Implicit QL with Wilkinson's shift (Golub & Van Loan, Matrix Computations, section 8.3.3): makes `diagonal` the eigenvalues. A
 * negligible element is one that rounding beside its neighbours would swallow.
 *
 * @param beside beside[i] couples i and i + 1; spoilt
 * @param turns told of every rotation
 * @throws NoConvergenceError where the matrix holds a NaN or an infinity
 */
export function implicitQl(diagonal: Float64Array, beside: Float64Array, turns: Turns): void {
  const n = diagonal.length;
  const size = diagonal.reduce((most, d, i) => Math.max(most, Math.abs(d) + Math.abs(beside[i])), 0);
  for (let l = 0; l < n; l++) {
    for (let sweeps = 0; ; sweeps++) {
      const floor = sweeps < PATIENCE ? 0 : Number.EPSILON * size;
      let m = l;
      while (m < n - 1 && !isNegligible(beside[m], diagonal[m], diagonal[m + 1], floor)) m++;
      if (m === l) break;
      if (sweeps === MAX_SWEEPS) throw new NoConvergenceError();
      sweepDown(diagonal, beside, l, m, turns);
    }
  }
}

function isNegligible(value: number, one: number, other: number, floor: number): boolean {
  return Math.abs(value) <= Math.max(floor, (Number.EPSILON / 2) * (Math.abs(one) + Math.abs(other)));
}

/** One implicit QL sweep with Wilkinson's shift over the block from l to m. */
function sweepDown(d: Float64Array, e: Float64Array, l: number, m: number, turns: Turns): void {
  const half = (d[l + 1] - d[l]) / (2 * e[l]);
  const root = Math.sqrt(half * half + 1);
  let g = d[m] - d[l] + e[l] / (half + (half < 0 ? -root : root));
  let s = 1;
  let c = 1;
  let p = 0;
  turns.sweep(m - 1);
  for (let i = m - 1; i >= l; i--) {
    const f = s * e[i];
    const b = c * e[i];
    const r = Math.sqrt(f * f + g * g);
    e[i + 1] = r;
    if (r === 0) {
      d[i + 1] -= p;
      e[m] = 0;
      return;
    }
    s = f / r;
    c = g / r;
    const next = d[i + 1] - p;
    const t = (d[i] - next) * s + 2 * c * b;
    p = s * t;
    d[i + 1] = next + p;
    g = c * t - b;
    turns.turn(c, s);
  }
  d[l] -= p;
  e[l] = g;
  e[m] = 0;
}
