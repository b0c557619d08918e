import { describe, expect, test } from 'vitest';
import { denseDpp } from '../../../src/selection/dpp/dense-dpp.ts';
import type { Dpp } from '../../../src/selection/dpp/dpp.ts';
import { kernelDpp } from '../../../src/selection/dpp/kernel-dpp.ts';
import { RankError } from '../../../src/selection/errors.ts';
import { seededRandom } from '../../../src/selection/index.ts';
import { seeded } from '../kernel/random.ts';
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
