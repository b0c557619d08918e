import { lazy } from '../../text/index.ts';
import { RankError } from '../errors.ts';
import type { Dpp } from './dpp.ts';
import { factorMemory, paddedItems } from './factor-memory.ts';
import type { Random } from './random.ts';
import type { Eigen } from './symmetric-eigen.ts';

export interface SpectralDpp extends Dpp {
  logPolynomials(k: number): Float64Array;
}

/**
 * The DPP of L = sum_j lambda_j u_j u_j^T (Hough et al. 2006; Kulesza & Taskar 2012, algorithms 1 and 8), O(n k^2). Negative lambda_j are
 * clipped.
 *
 * @param rounding share of the largest eigenvalue that counts as rounding
 */
export function spectralDpp(eigen: Eigen, n: number, rounding = n * Number.EPSILON): SpectralDpp {
  const { values, vectors } = positivePart(eigen, n, rounding);
  const r = values.length;
  const shares = values.map((lambda) => lambda / (1 + lambda));
  const width = r + 1;
  let table: { readonly k: number; readonly logs: Float64Array } | undefined;

  function polynomials(k: number): Float64Array {
    if (table?.k !== k) table = { k, logs: logElementarySymmetric(values, k) };
    return table.logs;
  }

  function chooseEigenvectors(k: number, random: Random): number[] {
    const logs = polynomials(k);
    const chosen: number[] = [];
    for (let m = r, left = k; left > 0; m--) {
      const log = Math.log(values[m - 1]) + logs[(left - 1) * width + m - 1] - logs[left * width + m];
      if (left === m || random() < Math.exp(log)) {
        chosen.push(m - 1);
        left--;
      }
    }
    return chosen;
  }

  function sumOf(term: (j: number, vector: Float64Array, i: number) => number): Float64Array {
    const sums = new Float64Array(n);
    for (const [j, vector] of vectors.entries()) for (let i = 0; i < n; i++) sums[i] += term(j, vector, i);
    return sums;
  }

  const drawFrom = (chosen: readonly number[], random: Random): number[] =>
    sampleProjection(
      chosen.map((j) => vectors[j]),
      n,
      random,
    );

  return {
    n,
    rank: r,
    diagonal: () => sumOf((j, vector, i) => values[j] * vector[i] ** 2),
    row: (i) => sumOf((j, vector, k) => values[j] * vector[i] * vector[k]),
    logPolynomials: (k) => Float64Array.from({ length: k + 1 }, (_, l) => polynomials(k)[l * width + r]),
    logNormalizer: values.reduce((sum, lambda) => sum + Math.log1p(lambda), 0),
    marginals: lazy(() => sumOf((j, vector, i) => shares[j] * vector[i] ** 2)),
    sample(random) {
      const chosen = Array.from(shares.keys()).filter((j) => random() < shares[j]);
      return drawFrom(chosen, random);
    },
    sampleOfSize(k, random) {
      if (k > r) throw new RankError(k, r);
      return drawFrom(chooseEigenvectors(k, random), random);
    },
  };
}

function positivePart({ values, vectors }: Eigen, n: number, rounding: number) {
  const r = values.length;
  const floor = rounding * values.reduce((most, v) => Math.max(most, v), 0);
  const kept = Array.from(values.keys()).filter((j) => values[j] > floor);
  const out = kept.map(() => new Float64Array(n));
  for (let i = 0; i < n; i++) for (let k = 0; k < kept.length; k++) out[k][i] = vectors[i * r + kept[k]];
  return { values: Float64Array.from(kept, (j) => values[j]), vectors: out };
}

/**
 * Logarithms of elementary symmetric polynomials (Kulesza & Taskar 2012, algorithm 7).
 *
 * @returns row-major (k + 1) x (values.length + 1): log e_l of the first m values at l (values.length + 1) + m
 */
function logElementarySymmetric(values: ArrayLike<number>, k: number): Float64Array {
  const width = values.length + 1;
  const table = new Float64Array((k + 1) * width).fill(Number.NEGATIVE_INFINITY);
  table.fill(0, 0, width);
  for (let l = 1; l <= k; l++) {
    for (let m = l; m < width; m++) {
      const without = table[l * width + m - 1];
      const within = Math.log(values[m - 1]) + table[(l - 1) * width + m - 1];
      table[l * width + m] = logSum(without, within);
    }
  }
  return table;
}

function logSum(a: number, b: number): number {
  const most = Math.max(a, b);
  return most === Number.NEGATIVE_INFINITY ? most : most + Math.log1p(Math.exp(Math.min(a, b) - most));
}

/**
 * A draw from P = W W^T: pivoted Cholesky with random pivots, picked in proportion to their residuals. The column of item i (row w of W) is
 * W g, g = (w - sum_t (g_t . w) g_t) / sqrt(residual): n k multiplications. @param vectors columns of W, orthonormal up to rounding
 */
function sampleProjection(vectors: readonly Float64Array[], n: number, random: Random): number[] {
  const k = vectors.length;
  const width = paddedItems(n);
  const memory = factorMemory();
  const [floors, coefficients, columns] = [width, 3 * width, 5 * width];
  memory.reserve(columns + (k + 1) * width);
  const { values } = memory;
  values.fill(0, 0, columns);
  for (const [j, vector] of vectors.entries()) {
    values.set(vector, columns + j * width);
    values.fill(0, columns + j * width + n, columns + (j + 1) * width);
    for (let i = 0; i < n; i++) values[i] += vector[i] * vector[i];
  }
  for (let i = 0; i < n; i++) values[floors + i] = Math.max(n, 4) * Number.EPSILON * values[i];
  const items: number[] = [];
  const directions: Float64Array[] = [];
  while (items.length < k) {
    const item = pickByResidual(values, floors, n, random());
    const direction = Float64Array.from(vectors, (vector) => vector[item]);
    const own = direction.slice();
    for (const before of directions) {
      let along = 0;
      for (let j = 0; j < k; j++) along += before[j] * own[j];
      for (let j = 0; j < k; j++) direction[j] -= along * before[j];
    }
    const scale = 1 / Math.sqrt(values[item]);
    for (let j = 0; j < k; j++) {
      direction[j] *= scale;
      values[coefficients + j] = -direction[j];
    }
    values.fill(0, columns + k * width, columns + (k + 1) * width);
    values[floors + item] = Number.POSITIVE_INFINITY;
    memory.combine(width, k, 1);
    directions.push(direction);
    items.push(item);
  }
  memory.release();
  return items.sort((a, b) => a - b);
}

function pickByResidual(values: Float64Array, floors: number, n: number, share: number): number {
  let total = 0;
  for (let i = 0; i < n; i++) if (values[i] > values[floors + i]) total += values[i];
  const target = share * total;
  let sum = 0;
  let last = -1;
  for (let i = 0; i < n && sum <= target; i++) {
    if (!(values[i] > values[floors + i])) continue;
    sum += values[i];
    last = i;
  }
  return last;
}
