import { expect } from 'vitest';
import { denseDpp } from '../../../src/selection/dpp/dense-dpp.ts';
import type { Dpp } from '../../../src/selection/dpp/dpp.ts';
import { kernelDpp } from '../../../src/selection/dpp/kernel-dpp.ts';
import { dualDpp, lowRank } from '../../../src/selection/dpp/low-rank.ts';
import { type SpectralDpp, spectralDpp } from '../../../src/selection/dpp/spectral-dpp.ts';
import { symmetricEigen } from '../../../src/selection/dpp/symmetric-eigen.ts';
import { type Random, seededRandom } from '../../../src/selection/index.ts';
import { seeded } from '../kernel/random.ts';
import { byMembership, bySize, goodnessOfFit } from './chi-square.ts';
import { diagonalOf, flat, gram, maskOf, psd, repeated, unitDiagonal } from './kernels.ts';

export function spectralOf(l: readonly (readonly number[])[]): SpectralDpp {
  return spectralDpp(symmetricEigen(flat(l), l.length), l.length);
}

export async function dualOf(l: readonly (readonly number[])[], maxRank = l.length): Promise<SpectralDpp> {
  const { factor, rank } = await lowRank(diagonalOf(l), (i) => l[i], maxRank);
  return dualDpp(factor, l.length, rank);
}

export function denseOf(l: readonly (readonly number[])[]): Dpp {
  return denseDpp(flat(l), l.length);
}

/** By what `kernelDpp` chooses. */
export async function chosenOf(l: readonly (readonly number[])[]): Promise<Dpp> {
  const made = await kernelDpp(flat(l), l.length);
  if (made === null) throw new Error('no path');
  return made.dpp;
}

/** The ways to sample a positive semi-definite kernel. */
export const PATHS: Readonly<Record<string, (l: readonly (readonly number[])[]) => Dpp | Promise<Dpp>>> = {
  spectral: spectralOf,
  dual: (l) => dualOf(l),
  dense: denseOf,
};

interface DrawnKernel {
  readonly l: number[][];
  /** Size of the sets of the k-DPP. */
  readonly k: number;
}

/** Kernels that are drawn from. */
export const KERNELS: Readonly<Record<string, DrawnKernel>> = {
  'full rank, n = 6': { l: psd(seeded(1), 6, 8).map((row) => row.map((value) => value / 6)), k: 3 },
  'rank 3, n = 6': { l: psd(seeded(2), 6, 3).map((row) => row.map((value) => value / 2)), k: 3 },
  'repeated items, n = 6': { l: repeated(unitDiagonal(psd(seeded(3), 4, 5)), [0, 0, 1, 2, 2, 3]), k: 3 },
  'near-singular, n = 6': { l: almost(psd(seeded(4), 6, 4), 1e-7), k: 5 },
  'rank 4 with repeated items, n = 8': {
    l: repeated(
      gram(Array.from({ length: 8 }, (_, i) => [1, (i % 3) - 1, (i * i) % 5, ((3 * i) % 7) - 2].map((v) => v / 2))),
      [0, 1, 2, 3, 4, 5, 5, 0],
    ),
    k: 4,
  },
  'near-singular, n = 8': { l: almost(psd(seeded(5), 8, 5), 1e-6), k: 7 },
};

/** Almost of low rank: `ridge` is added to the diagonal. */
function almost(k: number[][], ridge: number): number[][] {
  return k.map((row, i) => row.map((value, j) => value / 4 + (i === j ? ridge : 0)));
}

/** How often each set (indexed by bit mask) is drawn. */
export function countsOf(n: number, draws: number, seed: number, draw: (random: Random) => number[]): Float64Array {
  const random = seededRandom(seed);
  const counts = new Float64Array(1 << n);
  for (let d = 0; d < draws; d++) counts[maskOf(draw(random))]++;
  return counts;
}

/**
 * Counts fit the law: as sets, as sizes and item by item; what has no probability is never drawn. Of all these tests together
 * one in a thousand fails by chance: for the fixed seeds of the tests none does, with others one may.
 */
export function expectLaw(counts: Float64Array, law: Float64Array, n: number): void {
  const { p, impossible } = goodnessOfFit(counts, law);
  expect(impossible, 'sets without probability').toBe(0);
  expect(p, 'sets').toBeGreaterThan(0.001);
  expect(goodnessOfFit(bySize(counts, n), bySize(law, n)).p, 'sizes').toBeGreaterThan(0.001);
  for (let i = 0; i < n; i++) {
    // n tests at once share the level.
    const marginal = goodnessOfFit(byMembership(counts, i), byMembership(law, i));
    expect(marginal.p, `item ${i}`).toBeGreaterThan(0.001 / n);
  }
}
