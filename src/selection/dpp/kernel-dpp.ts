import { choleskyOf } from './cholesky.ts';
import { denseDpp } from './dense-dpp.ts';
import type { Dpp } from './dpp.ts';
import { clippedMass, dualDistance, dualDpp, type LowRank, lowRank } from './low-rank.ts';
import { seededRandom } from './random.ts';
import { spectralDpp } from './spectral-dpp.ts';
import { symmetricEigen } from './symmetric-eigen.ts';

export interface KernelDpp {
  readonly dpp: Dpp;
  /** Share of the absolute trace of L (sum of |lambda|) in negative eigenvalues, which are clipped. */
  readonly clippedMass: number;
  readonly residual: number;
  /** Bound on the total variation distance of draws of a size (null: random) from those of the kernel. */
  readonly totalVariation: (size: number | null) => number;
  readonly path: 'dual' | 'dense' | 'spectral';
}

/** Kernels of a rank up to this share of their items (or up to this rank) are sampled in the dual. */
const LOW_RANK_SHARE = 1 / 8;
const LOW_RANK = 64;
const LARGE = 1e8;
/** Relative rounding up to which a kernel counts as positive semi-definite. */
const ROUNDING = 1e-10;

/**
 * The DPP of a kernel by the cheapest exact path: `dual` for a small rank (O(n r^2 + n^2 r)), `dense` if L is positive semi-definite
 * (2/3 n^3), else `spectral` with negative eigenvalues clipped (7 n^3); null above `maxSpectral` items.
 *
 * @param kernel L, row-major n x n, symmetric and finite; kept, not changed
 * @param size the largest size that will be requested
 */
export async function kernelDpp(
  kernel: Float64Array,
  n: number,
  { size = 0, maxSpectral = Number.POSITIVE_INFINITY } = {},
): Promise<KernelDpp | null> {
  const diagonal = Float64Array.from({ length: n }, (_, i) => kernel[i * n + i]);
  const row = (i: number): Float64Array => kernel.subarray(i * n, (i + 1) * n);
  const limit = Math.min(n, Math.max(LOW_RANK, size, Math.floor(n * LOW_RANK_SHARE)));
  const dual = ({ factor, rank, residual }: LowRank): KernelDpp => {
    const dpp = dualDpp(factor, n, rank);
    return { dpp, clippedMass: 0, residual, totalVariation: (k) => dualDistance(dpp, residual, k), path: 'dual' };
  };
  const low = await lowRank(diagonal, row, limit);
  if (low.complete && explains(low.factor, low.rank, kernel, n)) return dual(low);
  if (!low.complete && isPositive(kernel, diagonal, n)) {
    const largest = diagonal.reduce((most, value) => Math.max(most, value), 0);
    if (largest > LARGE) return dual(await lowRank(diagonal, row, n));
    const lost = n * Number.EPSILON * largest;
    return { dpp: denseDpp(kernel, n), clippedMass: 0, residual: 0, totalVariation: () => lost, path: 'dense' };
  }
  if (n > maxSpectral) return null;
  const eigen = symmetricEigen(kernel, n);
  return {
    dpp: spectralDpp(eigen, n),
    clippedMass: clippedMass(eigen.values),
    residual: 0,
    totalVariation: () => 0,
    path: 'spectral',
  };
}

/** Whether a kernel is positive semi-definite up to rounding: with a unit diagonal plus ROUNDING it has a Cholesky decomposition. */
export function isPositive(kernel: Float64Array, diagonal: Float64Array, n: number): boolean {
  const scales = diagonal.map((value) => (value > 0 ? 1 / Math.sqrt(value) : 0));
  for (let i = 0; i < n; i++) {
    // With a zero on the diagonal of a positive semi-definite matrix, its row is zero.
    if (scales[i] === 0 && kernel.subarray(i * n, (i + 1) * n).some((value) => value !== 0)) return false;
  }
  const factor = choleskyOf(n, (i, row) => {
    const start = i * n;
    for (let j = 0; j < i; j++) row[j] = kernel[start + j] * scales[i] * scales[j];
    row[i] = 1 + ROUNDING;
  });
  return factor !== null;
}

const PROBES = 6;
const PROBE_SEED = 1;

/** Whether L = V V^T up to rounding, tested with random vectors (Freivalds 1977); misses an error e with probability (ROUNDING / e)^6. */
function explains(factor: Float64Array, rank: number, kernel: Float64Array, n: number): boolean {
  const random = seededRandom(PROBE_SEED);
  const scales = Float64Array.from({ length: n }, (_, i) => (kernel[i * n + i] > 0 ? kernel[i * n + i] ** -0.5 : 1));
  for (let probe = 0; probe < PROBES; probe++) {
    const z = scales.map((scale) => scale * (2 * random() - 1));
    const along = new Float64Array(rank); // V^T z
    for (let i = 0; i < n; i++) for (let c = 0; c < rank; c++) along[c] += factor[i * rank + c] * z[i];
    for (let i = 0; i < n; i++) {
      let left = 0;
      for (let j = 0; j < n; j++) left += kernel[i * n + j] * z[j];
      for (let c = 0; c < rank; c++) left -= factor[i * rank + c] * along[c];
      if (!(Math.abs(left * scales[i]) <= n * ROUNDING)) return false;
    }
  }
  return true;
}
