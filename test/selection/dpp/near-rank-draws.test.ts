import { inverse, Matrix } from 'ml-matrix';
import { describe, expect, test } from 'vitest';
import { denseDpp } from '../../../src/selection/dpp/dense-dpp.ts';
import type { Dpp } from '../../../src/selection/dpp/dpp.ts';
import { kernelDpp } from '../../../src/selection/dpp/kernel-dpp.ts';
import { RankError } from '../../../src/selection/errors.ts';
import { seededRandom } from '../../../src/selection/index.ts';
import { seeded } from '../kernel/random.ts';
import { goodnessOfFit } from './chi-square.ts';
import { countsOf, expectLaw } from './draws.ts';
import { eigenvalues, flat, lawOf, psd, repeated, unitDiagonal } from './kernels.ts';

/** Items 0 to n - 1 of which item i is a copy of item i % distinct. */
function copies(base: number[][], n: number): number[][] {
  return repeated(
    base,
    Array.from({ length: n }, (_, i) => i % base.length),
  );
}

/** @param size what `kernelDpp` is told of the sets to come */
async function denseBy(l: number[][], size?: number): Promise<Dpp> {
  const made = await kernelDpp(flat(l), l.length, size === undefined ? {} : { size });
  expect(made?.path).toBe('dense');
  if (made === null) throw new Error('no path');
  return made.dpp;
}

/** k items, ascending, whose kernel has no eigenvalue below `least`. */
function expectIndependent(l: number[][], items: readonly number[], k: number, least: number): void {
  expect(items.length).toBe(k);
  expect(items).toEqual([...new Set(items)].sort((a, b) => a - b));
  expect(eigenvalues(items.map((i) => items.map((j) => l[i][j])))[0]).toBeGreaterThan(least * (1 - 1e-9));
}

describe('sets close to the rank, on the dense path with duplicates', () => {
  for (const [distinct, n, sizes, draws] of [
    [100, 600, [75, 99, 100], 2],
    [70, 140, [69, 70], 30],
  ] as const) {
    const base = unitDiagonal(psd(seeded(2), distinct, distinct + 2));
    const l = copies(base, n);
    const least = eigenvalues(base)[0]; // no set of different items has a smaller one (Cauchy's interlacing)

    function expectDraws(dpp: Dpp, k: number): void {
      for (let draw = 0; draw < draws; draw++) {
        const items = dpp.sampleOfSize(k, seededRandom(draw));
        expect(new Set(items.map((i) => i % distinct)).size).toBe(k);
        expectIndependent(l, items, k, least);
      }
    }

    test(`${sizes[0]} of ${n} items, ${distinct} of them distinct`, async () => {
      expect(least).toBeGreaterThan(1e-7);
      expectDraws(await denseBy(l, sizes[0]), sizes[0]);
    });

    test(`up to ${distinct} of those, one size after the other; more than that is an error`, async () => {
      const dpp = await denseBy(l);
      expect(dpp.sampleOfSize(5, seededRandom(1)).length).toBe(5);
      for (const k of sizes) expectDraws(dpp, k);
      for (const k of [distinct + 1, distinct + 2, n, n + 1]) {
        expect(() => dpp.sampleOfSize(k, seededRandom(1))).toThrow(RankError);
      }
      expectDraws(dpp, sizes[0]);
    });
  }

  test('69 of 70 items that are there twice: the one left out has probability (L^-1)_ii / tr L^-1, copies have equal ones', async () => {
    const base = unitDiagonal(psd(seeded(2), 70, 72));
    const dpp = await denseBy(copies(base, 140), 69);
    const inverses = inverse(new Matrix(base)).diagonal();
    const trace = inverses.reduce((sum, value) => sum + value, 0);
    const left = new Float64Array(70);
    const taken = new Float64Array(2);
    const random = seededRandom(61);
    for (let draw = 0; draw < 1200; draw++) {
      const items = dpp.sampleOfSize(69, random);
      const classes = new Set(items.map((i) => i % 70));
      expect(classes.size).toBe(69);
      for (let i = 0; i < 70; i++) if (!classes.has(i)) left[i]++;
      for (const i of items) taken[Math.floor(i / 70)]++;
    }
    const law = inverses.map((value) => value / trace);
    expect(law.filter((p) => 1200 * p > 5).length).toBeGreaterThan(10);
    expect(goodnessOfFit(left, law).p).toBeGreaterThan(0.001);
    expect(goodnessOfFit(taken, [0.5, 0.5]).p).toBeGreaterThan(0.001);
  });

  test('4 and 3 of four items that are there three times: sets and marginals', () => {
    const l = copies(unitDiagonal(psd(seeded(3), 4, 5)), 12);
    const dpp = denseDpp(flat(l), 12);
    for (const [k, seed] of [
      [4, 62],
      [3, 63],
    ]) {
      const counts = countsOf(12, 20_000, seed, (random) => dpp.sampleOfSize(k, random));
      const law = lawOf(l, k);
      if (k === 4) expect([...new Set(law.map((p) => Math.round(p * 81 * 1e9) / 1e9))].sort()).toEqual([0, 1]);
      expectLaw(counts, law, 12);
    }
  });
});

describe('sets above what the search for a low rank has seen, on full-rank kernels', () => {
  test('70 of 80, not told of the size: items as often as e_70 without them says; all 80 too', async () => {
    const n = 80;
    const k = 70;
    const draws = 1500;
    const l = psd(seeded(2), n, 90).map((row) => row.map((value) => value / 90));
    const least = eigenvalues(l)[0];
    const dpp = await denseBy(l);
    expect(dpp.rank).toBe(n);
    const counts = new Float64Array(n);
    const random = seededRandom(64);
    for (let draw = 0; draw < draws; draw++) {
      const items = dpp.sampleOfSize(k, random);
      expect(new Set(items).size).toBe(k);
      if (draw < 20) expectIndependent(l, items, k, least);
      for (const i of items) counts[i]++;
    }
    // P(i in S) = 1 - e_k(L without i) / e_k(L).
    const all = polynomial(eigenvalues(l), k);
    let distance = 0;
    for (let i = 0; i < n; i += 3) {
      const rest = l.filter((_, j) => j !== i).map((row) => row.filter((_, j) => j !== i));
      const p = 1 - polynomial(eigenvalues(rest), k) / all;
      const error = Math.sqrt((p * (1 - p)) / draws);
      expect(Math.abs(counts[i] / draws - p), `item ${i}`).toBeLessThan(4.5 * error);
      distance = Math.max(distance, Math.abs(p - k / n) / error);
    }
    expect(distance).toBeGreaterThan(5); // a law that is far from uniform

    expect(dpp.sampleOfSize(n, random)).toEqual(Array.from({ length: n }, (_, i) => i));
    expectIndependent(l, dpp.sampleOfSize(n - 1, random), n - 1, least);
  });

  /** e_k of values. */
  function polynomial(values: readonly number[], k: number): number {
    const sums = [1, ...new Array(k).fill(0)];
    for (const value of values) for (let j = k; j > 0; j--) sums[j] += value * sums[j - 1];
    return sums[k];
  }
});
