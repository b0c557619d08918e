import { describe, expect, test } from 'vitest';
import { kernelDpp } from '../../../src/selection/dpp/kernel-dpp.ts';
import { seeded } from '../kernel/random.ts';
import { goodnessOfFit } from './chi-square.ts';
import { chosenOf, countsOf, denseOf, dualOf, expectLaw, spectralOf } from './draws.ts';
import {
  bertscoreGaussian,
  clipped,
  det,
  eigenvalues,
  flat,
  itemsOf,
  lawOf,
  psd,
  repeated,
  schurComplement,
  unitDiagonal,
  weighted,
} from './kernels.ts';

const DRAWS = 30_000;

async function made(l: number[][], size: number) {
  const found = await kernelDpp(flat(l), l.length, { size });
  if (found === null) throw new Error('no path');
  return found;
}

describe('kernelDpp draws by its own choice', () => {
  test('spectral on indefinite ones: the law of the clipped kernel', async () => {
    const seed = Array.from({ length: 50 }, (_, s) => s).find(
      (s) => eigenvalues(bertscoreGaussian(seeded(s), 6, 3, 4))[0] < -0.01,
    );
    const bertscore = weighted(bertscoreGaussian(seeded(seed ?? 0), 6, 3, 4), [1, 2, 1, 3, 1, 2]);
    const swap = [
      [0, 1],
      [1, 0],
    ];
    const beyond = [
      [1, 2],
      [2, 1],
    ];
    for (const [l, k, s] of [
      [bertscore, 3, 31],
      [swap, 1, 33],
      [beyond, 1, 35],
    ] as const) {
      const n = l.length;
      const { dpp, path, clippedMass } = await made(
        l.map((row) => [...row]),
        k,
      );
      expect(path).toBe('spectral');
      const values = eigenvalues(l);
      const negative = values.reduce((sum, value) => sum + Math.max(0, -value), 0);
      expect(negative).toBeGreaterThan(0.01);
      expect(clippedMass).toBeCloseTo(negative / values.reduce((sum, value) => sum + Math.abs(value), 0), 12);
      expectLaw(countsOf(n, DRAWS, s, dpp.sample), lawOf(clipped(l)), n);
      expectLaw(
        countsOf(n, DRAWS, s + 1, (random) => dpp.sampleOfSize(k, random)),
        lawOf(clipped(l), k),
        n,
      );
    }
  });
});

describe('kernelDpp draws of 72 items by the dense path', () => {
  const n = 72;
  const watched = 5;
  // Three copies of item 1 at the end, and near-copies among the rest.
  const base = psd(seeded(7), n - 2, n).map((row) => row.map((value) => value / 200));
  const l = repeated(base, [...Array.from({ length: n - 2 }, (_, i) => i), 1, 1]);
  const others = Array.from({ length: n - watched }, (_, i) => watched + i);

  /** P(S intersected with the first items = J): det(L_J) times the weight of the rest given J (Kulesza & Taskar 2012, 2.4.3). */
  function lawOfWatched(weightOf: (rest: number[][], taken: number) => number): Float64Array {
    const law = new Float64Array(1 << watched);
    for (let set = 0; set < law.length; set++) {
      const items = itemsOf(set);
      const complement = schurComplement(l, items);
      const rest = others.map((i) => others.map((j) => complement[i][j]));
      law[set] = det(l, items) * weightOf(rest, items.length);
    }
    const total = law.reduce((sum, value) => sum + value, 0);
    return law.map((value) => value / total);
  }

  /** e_0 .. e_k of values. */
  function polynomials(values: readonly number[], k: number): number[] {
    const sums = [1, ...new Array(k).fill(0)];
    for (const value of values) for (let j = k; j > 0; j--) sums[j] += value * sums[j - 1];
    return sums;
  }

  test('random size: what it takes of five items, and how many in all', async () => {
    const { dpp, path } = await made(l, 0);
    expect(path).toBe('dense');
    const law = lawOfWatched((rest) => eigenvalues(rest).reduce((product, value) => product * (1 + value), 1));
    const sizes = new Float64Array(n + 1);
    const counts = countsOf(watched, 40_000, 41, (random) => {
      const items = dpp.sample(random);
      sizes[items.length]++;
      expect(items.filter((i) => i === 1 || i >= n - 2).length).toBeLessThanOrEqual(1);
      return items.filter((i) => i < watched);
    });
    expect(goodnessOfFit(counts, law).p).toBeGreaterThan(0.001);
    const bySize = polynomials(eigenvalues(l), n);
    const total = bySize.reduce((sum, value) => sum + value, 0);
    const { p, impossible } = goodnessOfFit(
      sizes,
      bySize.map((value) => value / total),
    );
    expect([p > 0.001, impossible]).toEqual([true, 0]);
  });

  test('of 9 and of 40 items: what they take of five', async () => {
    for (const [k, draws] of [
      [9, 10_000],
      [40, 2000],
    ]) {
      const { dpp, path } = await made(l, k);
      expect(path).toBe('dense');
      const law = lawOfWatched((rest, taken) => polynomials(eigenvalues(rest), k - taken)[k - taken]);
      const counts = countsOf(watched, draws, 42 + k, (random) => {
        const items = dpp.sampleOfSize(k, random);
        if (items.length !== k) throw new Error('another size');
        return items.filter((i) => i < watched);
      });
      expect(goodnessOfFit(counts, law).p).toBeGreaterThan(0.001);
    }
  });
});

describe('qualities in a ratio of 1e6 have right probabilities', () => {
  // Items 0 and 1, 4 and 5 are the same; L_ii is 1e6, 1 and 1e-6.
  const k = repeated(unitDiagonal(psd(seeded(12), 4, 5)), [0, 0, 1, 2, 3, 3]);
  const quality = [1e3, 1e3, 1, 1, 1e-3, 1e-3];
  const l = weighted(k, quality);
  const paths = { spectral: spectralOf, dual: dualOf, dense: denseOf, chosen: chosenOf };

  for (const [path, make] of Object.entries(paths)) {
    test(`${path}: one of the duplicates at high quality, in sets of random size and of 3`, async () => {
      const dpp = await make(l);
      const counts = countsOf(6, 30_000, 51, dpp.sample);
      expectLaw(counts, lawOf(k, null, quality), 6);
      // Both never; one of them but for one draw in a million.
      for (let set = 0; set < 64; set++) if ((set & 3) === 3) expect(counts[set]).toBe(0);
      const law = lawOf(k, 3, quality);
      expectLaw(
        countsOf(6, 30_000, 52, (random) => dpp.sampleOfSize(3, random)),
        law,
        6,
      );
    });
  }
});
