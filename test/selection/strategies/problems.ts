import { OWN_DEFAULTS, type SelectionOptions, seededRandom } from '../../../src/selection/index.ts';
import { type Coverage, weightedSum } from '../../../src/selection/kernel/coverage.ts';
import type { Kernel } from '../../../src/selection/kernel/kernel.ts';
import { type Objective, objective } from '../../../src/selection/strategies/objective.ts';
import { sampledKernel } from '../../../src/selection/strategies/sampling.ts';
import type { StrategyInput } from '../../../src/selection/strategies/strategy.ts';
import { repeated as copies, det, gaussian, gram, psd, unitDiagonal } from '../dpp/kernels.ts';
import type { Random } from '../kernel/random.ts';

/** Everything that is optional switched off. */
export const BARE: SelectionOptions = {
  strategy: 'dpp-map',
  size: { keyPoints: 5 },
  seed: 1,
  kernel: { similarity: 'bertscore', form: 'gaussian', sigma: 0.5, idf: 2 },
  relevance: { form: 'exponential', weight: 0 },
  salience: { weight: 0, threshold: 0.15 },
  coverage: { weight: 0, threshold: 0 },
  sources: { weight: 0 },
  support: { threshold: null, same: 0.2, paraphrase: 0.95, unlike: -0.2 },
  background: { weight: 0 },
  ...OWN_DEFAULTS,
  exact: { nodes: 1_000_000, milliseconds: null },
  refine: false,
};

/** A kernel L = diag(q) K diag(q) and who covers whom, written down. */
export interface Problem {
  readonly k: number[][];
  readonly logQuality: Float64Array;
  /** w[i][j]: how much i covers j. */
  readonly w: number[][];
  /** Weight of coverage. */
  readonly mu: number;
}

/** The numbers of all items. */
export const indicesOf = ({ k }: Problem): number[] => [...k.keys()];

/** All qualities 1, no coverage. */
export function plain(k: number[][]): Problem {
  return { k, logQuality: new Float64Array(k.length), w: k.map(() => []), mu: 0 };
}

/** Row i of a symmetric matrix, from its lower triangle. */
export function symmetric(n: number, value: (i: number, j: number) => number): number[][] {
  const matrix = Array.from({ length: n }, () => new Array<number>(n).fill(0));
  for (let i = 0; i < n; i++) {
    for (let j = 0; j <= i; j++) {
      matrix[i][j] = value(i, j);
      matrix[j][i] = matrix[i][j];
    }
  }
  return matrix;
}

/** Cosines of random vectors; positive definite where there are as many dimensions as items. */
export function cosines(random: Random, n: number, dimensions = n + 1): number[][] {
  return unitDiagonal(psd(random, n, dimensions));
}

/** A Gaussian of distances between random points in six dimensions. */
export function gaussians(random: Random, n: number): number[][] {
  return gaussian(random, n, 6);
}

/** Inner products of vectors of small whole numbers, so that the kernel is exact and its rank is that of the vectors. */
export function wholeNumbers(random: Random, n: number, rank: number): number[][] {
  return gram(Array.from({ length: n }, () => Array.from({ length: rank }, () => random.below(5) - 2)));
}

/** Items in groups; similarity is a power of two within a group and nothing beside it, so that nearly all gains tie. */
export function groups(random: Random, n: number): number[][] {
  const group = Array.from({ length: n }, () => random.below(1 + Math.ceil(n / 4)));
  return symmetric(n, (i, j) => (i === j ? 1 : group[i] === group[j] ? 0.5 : 0));
}

/** Cosines of random vectors, of which some are the same. */
export function repeated(random: Random, n: number): number[][] {
  const k = cosines(random, n);
  return copies(
    k,
    k.map((_, i) => (random.below(3) === 0 ? random.below(i + 1) : i)),
  );
}

/** 1 on the diagonal and anything beside it. */
export function indefinite(random: Random, n: number): number[][] {
  return symmetric(n, (i, j) => (i === j ? 1 : 2 * random.next() - 1));
}

/** How much everyone covers everyone; `grain` makes the values multiples of it, so that sums tie. */
export function covering(random: Random, n: number, grain = 0): number[][] {
  const value = () => Math.max(0, random.normal());
  return Array.from({ length: n }, () =>
    Array.from({ length: n }, () => (grain === 0 ? value() : grain * Math.round(value() / grain))),
  );
}

/** Sum over everyone of the most that anyone in the set covers them. */
export function coverOf(w: readonly (readonly number[])[], items: readonly number[]): number {
  return w.reduce((sum, _, j) => sum + items.reduce((most, i) => Math.max(most, w[i][j] ?? 0), 0), 0);
}

/** log det(L_S) + mu cov(S) from scratch. */
export function scoreOf({ k, logQuality, w, mu }: Problem, items: readonly number[]): number {
  const logQ = items.reduce((sum, i) => sum + 2 * logQuality[i], 0);
  return Math.log(det(k, items)) + logQ + (mu === 0 ? 0 : mu * coverOf(w, items));
}

/** Share of K_ii below which a ratio of determinants is rounding; the kernels here have none between that and 1e-7. */
const DEPENDENT = 1e-9;

/** What every item adds to log det(L_S), by determinants; -Infinity where it is chosen or depends on what is. */
export function volumeGains({ k, logQuality }: Problem, chosen: readonly number[]): number[] {
  const base = det(k, chosen);
  return k.map((row, i) => {
    if (chosen.includes(i)) return Number.NEGATIVE_INFINITY;
    const ratio = det(k, [...chosen, i]) / base;
    return ratio > DEPENDENT * row[i] ? Math.log(ratio) + 2 * logQuality[i] : Number.NEGATIVE_INFINITY;
  });
}

/** What every item adds to log det(L_S) + mu cov(S), everything from scratch. */
export function textbookGains(given: Problem, chosen: readonly number[]): number[] {
  const base = coverOf(given.w, chosen);
  return volumeGains(given, chosen).map((gain, i) =>
    gain === Number.NEGATIVE_INFINITY || given.mu === 0
      ? gain
      : gain + given.mu * (coverOf(given.w, [...chosen, i]) - base),
  );
}

/** The items whose gains are within 1e-9 max(1, |gain|) of the largest. */
export function tied(gains: ArrayLike<number>): number[] {
  const largest = Array.from(gains).reduce((most, gain) => Math.max(most, gain), Number.NEGATIVE_INFINITY);
  if (largest === Number.NEGATIVE_INFINITY) return [];
  return Array.from(gains, (_, i) => i).filter((i) => gains[i] >= largest - 1e-9 * Math.max(1, Math.abs(largest)));
}

/** The lowest index of the largest gain, again and again. */
export function greedily(
  gainsAfter: (chosen: readonly number[]) => ArrayLike<number>,
  limit: number,
): { items: number[]; gains: number[] } {
  const items: number[] = [];
  const gains: number[] = [];
  while (items.length < limit) {
    const now = gainsAfter(items);
    const [item] = tied(now);
    if (item === undefined) break;
    items.push(item);
    gains.push(now[item]);
  }
  return { items, gains };
}

function kernelOf({ k, logQuality }: Problem): Kernel {
  const n = k.length;
  return {
    n,
    diagonal: Float64Array.from(k, (row, i) => row[i]),
    logQuality,
    row: async (i) => Float64Array.from(k[i]),
    matrix: async () =>
      Float64Array.from(k.flatMap((row, i) => row.map((v, j) => v * Math.exp(logQuality[i] + logQuality[j])))),
    isPositive: false,
    sigma: null,
  };
}

/** Coverage by weights that are written down. */
export function coverageBy(w: readonly (readonly number[])[]): Coverage {
  return {
    threshold: 0,
    start() {
      let covered = w.map(() => 0);
      let value = 0;
      const gain = (i: number): number => w[i].reduce((sum, v, j) => sum + Math.max(0, v - covered[j]), 0);
      return {
        get value() {
          return value;
        },
        gain,
        add(i) {
          value += gain(i);
          covered = covered.map((v, j) => Math.max(v, w[i][j]));
        },
      };
    },
  };
}

export function objectiveOf({ k, logQuality, w, mu }: Problem): Objective {
  const diagonal = Float64Array.from(k, (row, i) => row[i]);
  const bonus = weightedSum([[mu, mu === 0 ? null : coverageBy(w).start()]]);
  return objective({ diagonal, logQuality, row: async (i) => k[i] }, bonus);
}

/** What a strategy sees of a problem; its similarities are K. */
export function strategyInput(given: Problem, overrides: Partial<StrategyInput> = {}): StrategyInput {
  const n = given.k.length;
  const kernel = kernelOf(given);
  const s = Float32Array.from(given.k.flat());
  const hashes = given.k.map((_, i) => `${i}`);
  return {
    kernel,
    similarityRow: async (i) => s.subarray(i * n, (i + 1) * n),
    items: indicesOf(given),
    chosen: [],
    coverage: given.mu === 0 ? null : coverageBy(given.w),
    newBonus: () => weightedSum([[given.mu, given.mu === 0 ? null : coverageBy(given.w).start()]]),
    newObjective: () => objectiveOf(given),
    dpp: () => sampledKernel(kernel, hashes, null),
    relevance: new Float64Array(n).fill(1),
    limit: Number.POSITIVE_INFINITY,
    fits: () => true,
    random: seededRandom(1),
    options: { ...BARE, coverage: { weight: given.mu, threshold: 0 } },
    ...overrides,
  };
}

/** All sets of k of the items 0..n-1. */
export function* subsets(n: number, k: number, from = 0): Generator<number[]> {
  if (k === 0) yield [];
  else for (let i = from; i <= n - k; i++) for (const rest of subsets(n, k - 1, i + 1)) yield [i, ...rest];
}
