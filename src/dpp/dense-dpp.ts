import { cholesky, inverseDiagonal } from './cholesky.ts';
import type { Dpp } from './dpp.ts';
import { RankError } from './rank-error.ts';
import { sampleByChainRule } from './sample-by-chain-rule.ts';
import { symmetricEigenvalues } from './symmetric-eigen.ts';

/** Items whose principal submatrix tells about how large sets are. */
const PROBE = 64;
/** Draws of the wrong size after which the scale is set anew. */
const PATIENCE = 40;
/** Tells a scale that never yields the size from one that was off. */
const MOST_SCALES = 60;

/**
 * The DPP of a positive semi-definite L that is given whole, by the Cholesky factor of L + I: n^3 / 3 operations once and
 * O(n k^2) a draw, without eigenvectors (`sampleByChainRule`).
 *
 * A k-DPP of L is the DPP of any alpha L given its size, so that sets are drawn at a scale where k is the likeliest size until
 * one has it (Barthelmé, Amblard & Tremblay 2019, section 2; Calandriello et al. 2020): exact, whatever the scale.
 *
 * @param kernel L, row-major n x n, diagonal entries up to about 1e6: beyond, adding I to L loses digits; not changed, kept
 * @param rank a rank that L is known to have at least
 */
export function denseDpp(kernel: Float64Array, n: number, rank: number): Dpp {
  const factor = factorOf(kernel, n, 1);
  let marginals: Float64Array | undefined;
  let scaled: { k: number; alpha: number; factor: Float64Array } | undefined;

  function atScale(k: number, alpha: number): { k: number; alpha: number; factor: Float64Array } {
    return { k, alpha, factor: factorOf(kernel, n, alpha) };
  }

  return {
    n,
    rank,
    logNormalizer: logDeterminant(factor, n),
    diagonal: () => Float64Array.from({ length: n }, (_, i) => kernel[i * n + i]),
    row: (i) => kernel.subarray(i * n, (i + 1) * n),
    marginals() {
      marginals ??= inverseDiagonal(factor, n).map((p) => 1 - p);
      return marginals;
    },
    sample: (random) => sampleByChainRule(factor, n, random),
    sampleOfSize(k, random) {
      if (k > rank) throw new RankError(k, rank);
      if (k === 0) return [];
      if (scaled?.k !== k) scaled = atScale(k, scaleFor(kernel, n, k));
      for (let scales = 0; scales < MOST_SCALES; scales++) {
        let items = 0;
        for (let draw = 0; draw < PATIENCE; draw++) {
          const drawn = sampleByChainRule(scaled.factor, n, random);
          if (drawn.length === k) return drawn;
          items += drawn.length;
        }
        const mean = Math.max(items / PATIENCE, 0.25);
        scaled = atScale(k, scaled.alpha * (k / mean) ** 1.5);
      }
      throw new RankError(k, rank);
    },
  };
}

/** The Cholesky factor of alpha L + I. */
function factorOf(kernel: Float64Array, n: number, alpha: number): Float64Array {
  const a = alpha === 1 ? kernel.slice() : kernel.map((value) => alpha * value);
  for (let i = 0; i < n; i++) a[i * n + i] += 1;
  if (!cholesky(a, n)) throw new RangeError('the kernel is not positive semi-definite');
  return a;
}

function logDeterminant(factor: Float64Array, n: number): number {
  let sum = 0;
  for (let i = 0; i < n; i++) sum += Math.log(factor[i * n + i]);
  return 2 * sum;
}

/**
 * About the alpha at which the DPP of alpha L draws k items: read off the eigenvalues of a principal submatrix, each standing
 * for as many as there are items for each of its own.
 */
function scaleFor(kernel: Float64Array, n: number, k: number): number {
  const m = Math.min(n, Math.max(PROBE, 2 * k));
  const chosen = Array.from({ length: m }, (_, i) => Math.floor((i * n) / m));
  const part = new Float64Array(m * m);
  chosen.forEach((i, a) => {
    chosen.forEach((j, b) => {
      part[a * m + b] = (kernel[i * n + j] * n) / m;
    });
  });
  const values = symmetricEigenvalues(part, m).filter((value) => value > 0);
  const size = (alpha: number): number => values.reduce((sum, v) => sum + (alpha * v) / (1 + alpha * v), 0);
  let low = -60;
  let high = 60;
  for (let step = 0; step < 60; step++) {
    const middle = (low + high) / 2;
    if (size(2 ** middle) < k) low = middle;
    else high = middle;
  }
  return 2 ** low;
}
