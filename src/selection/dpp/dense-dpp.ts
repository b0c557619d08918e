import { EigenvalueDecomposition, Matrix } from 'ml-matrix';
import { choleskyOf, copyLower, inverseDiagonal } from './cholesky.ts';
import type { Dpp } from './dpp.ts';
import { type Random, seededRandom } from './random.ts';
import { RankError } from './rank-error.ts';
import { sampleByChainRule } from './sample-by-chain-rule.ts';
import { type ThinningSampler, thinningSampler } from './sample-by-thinning.ts';
import { spectralDpp } from './spectral-dpp.ts';
import { symmetricEigen } from './symmetric-eigen.ts';

/** Items whose principal submatrix tells about how large sets are. */
const PROBE = 64;
const PROBE_SEED = 1;
/** Draws of the wrong size after which the scale is set anew. */
const PATIENCE = 40;
/** Scales tried at most, how much one may differ from the last, and up to where adding I to alpha L keeps the digits. */
const MAX_SCALES = 12;
const MAX_STEP = 8;
const LARGE = 1e8;

/**
 * The DPP of a positive semi-definite L that is given whole, by the Cholesky factor of L + I: n^3 / 3 operations once and
 * O(n k^2) a draw, without eigenvectors (`sampleByChainRule`).
 *
 * A k-DPP of L is the DPP of any alpha L given its size, so that sets are drawn at a scale where k is the likeliest size until
 * one has it (Barthelmé, Amblard & Tremblay 2019, section 2; Calandriello et al. 2020): exact, whatever the scale. Where no
 * scale does, because k is close to the rank, eigenvectors do.
 *
 * Whatever is asked of it throws a RangeError where L + I is not positive definite.
 *
 * @param kernel L, row-major n x n, diagonal entries up to about 1e6: beyond, adding I to L loses digits; not changed, kept
 */
export function denseDpp(kernel: Float64Array, n: number): Dpp {
  let whole: Float64Array | undefined; // a k-DPP does without it
  const factor = (): Float64Array => {
    whole ??= factorOf(kernel, n, 1);
    return whole;
  };
  const diagonal = Float64Array.from({ length: n }, (_, i) => kernel[i * n + i]);
  const largest = diagonal.reduce((most, value) => Math.max(most, value), 0);
  let marginals: Float64Array | undefined;
  let scaled: { readonly k: number; readonly alpha: number; readonly sampler: ThinningSampler } | undefined;
  let spectral: Dpp | undefined;

  /** A set of k items at a scale that yields one soon; undefined where there is none. */
  function sampleScaled(k: number, random: Random): number[] | undefined {
    if (spectral !== undefined && scaled?.k !== k) return undefined;
    let alpha = scaled?.k === k ? scaled.alpha : scaleFor(kernel, n, k);
    for (let scales = 0; scales < MAX_SCALES && alpha * largest <= LARGE; scales++) {
      if (scaled?.k !== k || scaled.alpha !== alpha)
        scaled = { k, alpha, sampler: thinningSampler(factorOf(kernel, n, alpha), n) };
      let items = 0;
      for (let draw = 0; draw < PATIENCE; draw++) {
        const drawn = scaled.sampler.draw(k, random);
        if (!('items' in drawn)) return [...drawn];
        items += drawn.items;
      }
      const step = (k / Math.max(items / PATIENCE, 0.25)) ** 1.5;
      alpha *= Math.min(MAX_STEP, Math.max(1 / MAX_STEP, step));
    }
    scaled = undefined;
    return undefined;
  }

  return {
    n,
    rank: n,
    get logNormalizer() {
      return logDeterminant(factor(), n);
    },
    diagonal: () => diagonal,
    row: (i) => kernel.subarray(i * n, (i + 1) * n),
    marginals() {
      marginals ??= inverseDiagonal(factor(), n).map((p) => 1 - p);
      return marginals;
    },
    sample: (random) => sampleByChainRule(factor(), n, random),
    sampleOfSize(k, random) {
      if (k > n) throw new RankError(k, n);
      if (k === 0) return [];
      // From some size on, a few draws of it cost more than eigenvectors.
      const drawn = k ** 2.5 > n * n ? undefined : sampleScaled(k, random);
      if (drawn !== undefined) return drawn;
      spectral ??= spectralDpp(symmetricEigen(kernel, n), n);
      return spectral.sampleOfSize(k, random);
    },
  };
}

/** The Cholesky factor of alpha L + I, row-major n x n. */
function factorOf(kernel: Float64Array, n: number, alpha: number): Float64Array {
  const factor = choleskyOf(n, (i, row) => {
    const start = i * n;
    for (let j = 0; j <= i; j++) row[j] = alpha * kernel[start + j];
    row[i] += 1;
  });
  if (factor === null) throw new RangeError('the kernel is not positive semi-definite');
  const out = new Float64Array(n * n);
  copyLower(factor, out, n);
  return out;
}

function logDeterminant(factor: Float64Array, n: number): number {
  let sum = 0;
  for (let i = 0; i < n; i++) sum += Math.log(factor[i * n + i]);
  return 2 * sum;
}

/**
 * About the alpha at which the DPP of alpha L draws k items: read off the eigenvalues of some of L (items at random, with
 * repetition), each standing for as many as there are items for each of its own.
 */
function scaleFor(kernel: Float64Array, n: number, k: number): number {
  const m = Math.min(n, Math.max(PROBE, 2 * k));
  const random = seededRandom(PROBE_SEED);
  const chosen = Array.from({ length: m }, () => Math.floor(random() * n));
  const part = new Matrix(chosen.map((i) => chosen.map((j) => (kernel[i * n + j] * n) / m)));
  const { realEigenvalues } = new EigenvalueDecomposition(part, { assumeSymmetric: true });
  const values = realEigenvalues.filter((value) => value > 0);
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
