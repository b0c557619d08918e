import { lazy } from '../../text/index.ts';
import { RankError } from '../errors.ts';
import { choleskyOf, copyLower, inverseDiagonal } from './cholesky.ts';
import type { Dpp } from './dpp.ts';
import { type Random, seededRandom, shuffled } from './random.ts';
import { sampleByChainRule } from './sample-by-chain-rule.ts';
import { type FixedSizeDraw, thinnedDraw } from './sample-by-thinning.ts';
import { spectralDpp } from './spectral-dpp.ts';
import { symmetricEigen, symmetricEigenvalues } from './symmetric-eigen.ts';

/** Min number and share of items whose principal submatrix estimates the size of draws. */
const PROBE = 128;
const PROBE_SHARE = 1 / 10;
const PROBE_SEED = 1;
/** Draws of a wrong size after which the scale changes, unless some are too large and some too small. */
const PATIENCE = 40;
/** Max number of scales, factors between consecutive ones, and the diagonal up to which adding I to alpha L keeps digits. */
const MAX_SCALES = 12;
const MIN_STEP = 1.25;
const MAX_STEP = 8;
const LARGE = 1e8;

/**
 * The DPP of a positive semi-definite L by the Cholesky factor of L + I: n^3 / 3 operations once, O(n k^2) per draw.
 *
 * A k-DPP of L is the DPP of any alpha L given its size: sets are drawn at a scale that makes k likely until one has it
 * (Barthelmé, Amblard & Tremblay 2019, section 2; Calandriello et al. 2020). If k is close to the rank, eigenvectors are used.
 *
 * @param kernel L, row-major n x n, not changed; diagonal up to about 1e6, since adding I loses digits above
 * @throws RangeError (from methods) if L + I is not positive definite
 */
export function denseDpp(kernel: Float64Array, n: number): Dpp {
  const factor = lazy(() => factorOf(kernel, n, 1)); // not needed for a k-DPP
  const diagonal = Float64Array.from({ length: n }, (_, i) => kernel[i * n + i]);
  const largest = diagonal.reduce((most, value) => Math.max(most, value), 0);
  let scaled: { readonly k: number; readonly alpha: number; readonly draw: FixedSizeDraw } | undefined;
  let spectral: Dpp | undefined;

  function sampleScaled(k: number, random: Random): number[] | undefined {
    if (spectral !== undefined && scaled?.k !== k) return undefined;
    let alpha = scaled?.k === k ? scaled.alpha : scaleFor(kernel, n, k);
    for (let scales = 0; scales < MAX_SCALES && alpha * largest <= LARGE; scales++) {
      if (scaled?.k !== k || scaled.alpha !== alpha)
        scaled = { k, alpha, draw: fixedSizeDraw(factorOf(kernel, n, alpha), n, k) };
      let items = 0;
      let large = 0;
      for (let tries = 0; tries < PATIENCE; tries++) {
        const drawn = scaled.draw(random);
        if (!('items' in drawn)) return [...drawn];
        items += drawn.items;
        if (drawn.items > k) large++;
      }
      if (Math.min(large, PATIENCE - large) >= PATIENCE / 10) continue; // k lies in between: bad luck
      const step = (k / Math.max(items / PATIENCE, 0.25)) ** 1.5;
      alpha *= large > PATIENCE / 2 ? 1 / 2 : Math.min(MAX_STEP, Math.max(MIN_STEP, step));
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
    marginals: lazy(() => inverseDiagonal(factor(), n).map((p) => 1 - p)),
    sample: (random) => sampleByChainRule(factor(), n, random),
    sampleOfSize(k, random) {
      if (k > n) throw new RankError(k, n);
      if (k === 0) return [];
      const drawn = k ** 2.5 > n * n ? undefined : sampleScaled(k, random);
      if (drawn !== undefined) return drawn;
      spectral ??= spectralDpp(symmetricEigen(kernel, n), n);
      return spectral.sampleOfSize(k, random);
    },
  };
}

/** Max candidates times k per item for thinning, which costs k^3 / 6 per candidate. */
const THINNED = 12;

function fixedSizeDraw(factor: Float64Array, n: number, k: number): FixedSizeDraw {
  let candidates = 0;
  for (let i = 0; i < n; i++) candidates += 1 - 1 / factor[i * n + i] ** 2;
  if (candidates * k <= THINNED * n) return thinnedDraw(factor, n, k);
  return (random) => {
    const drawn = sampleByChainRule(factor, n, random, k);
    return drawn.length === k ? drawn : { items: drawn.length };
  };
}

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

/** Estimates alpha from the eigenvalues of a random principal submatrix, scaled to all items. */
function scaleFor(kernel: Float64Array, n: number, k: number): number {
  const m = Math.min(n, Math.max(PROBE, 2 * k, Math.floor(n * PROBE_SHARE)));
  const chosen = shuffled([...Array(n).keys()], seededRandom(PROBE_SEED)).slice(0, m);
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
