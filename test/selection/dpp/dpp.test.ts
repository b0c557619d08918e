import { describe, expect, test } from 'vitest';
import { denseDpp } from '../../../src/selection/dpp/dense-dpp.ts';
import { expectedSize } from '../../../src/selection/dpp/dpp.ts';
import { kernelDpp } from '../../../src/selection/dpp/kernel-dpp.ts';
import { RankError } from '../../../src/selection/errors.ts';
import { seededRandom } from '../../../src/selection/index.ts';
import { furthest, seeded } from '../kernel/random.ts';
import { chosenOf, PATHS } from './draws.ts';
import {
  clipped,
  diagonalOf,
  eigenvalues,
  flat,
  logNormalizer,
  marginalKernel,
  psd,
  unitDiagonal,
  weighted,
} from './kernels.ts';

const EVERY_PATH = { ...PATHS, chosen: chosenOf };

/** What a path says of the rank: the dense one does not look for it. */
const rankBy = (path: string, n: number, rank: number): number => (path === 'dense' ? n : rank);

describe('what every path says of a kernel', () => {
  for (const [path, make] of Object.entries(EVERY_PATH)) {
    test(`${path}: marginals, expected size, normaliser, diagonal and rows, by ml-matrix`, async () => {
      for (let seed = 0; seed < 40; seed++) {
        const random = seeded(seed);
        const n = 1 + random.below(30);
        const l = psd(random, n, 1 + random.below(n + 3));
        const dpp = await make(l);
        const marginals = diagonalOf(marginalKernel(l));
        expect(furthest(dpp.marginals(), marginals)).toBeLessThan(1e-10);
        expect(expectedSize(dpp)).toBeCloseTo(
          eigenvalues(l).reduce((sum, value) => sum + value / (1 + value), 0),
          9,
        );
        expect(dpp.logNormalizer).toBeCloseTo(logNormalizer(l), 9);
        expect(dpp.n).toBe(n);
        expect(furthest(dpp.diagonal(), diagonalOf(l))).toBeLessThan(1e-11 * n);
        for (let i = 0; i < n; i++) expect(furthest(dpp.row(i), l[i])).toBeLessThan(1e-11 * n);
      }
    });

    test(`${path}: the rank, and an error for more items than that`, async () => {
      for (const [n, rank] of [
        [6, 1],
        [6, 4],
        [9, 9],
      ]) {
        const l = psd(seeded(n), n, rank);
        const dpp = await make(l);
        expect(dpp.rank).toBe(rankBy(path, n, rank));
        const random = seededRandom(1);
        for (let k = 0; k <= rank; k++) {
          const items = dpp.sampleOfSize(k, random);
          expect(items).toEqual([...new Set(items)].sort((a, b) => a - b));
          expect(items.length).toBe(k);
        }
        for (const k of [rank + 1, n + 1, n + 7]) {
          expect(() => dpp.sampleOfSize(k, random)).toThrow(RankError);
          expect(() => dpp.sampleOfSize(k, random)).toThrow(`${k} items`);
        }
        expect(() => dpp.sampleOfSize(rank + 1, random)).toThrow(`no set of more than ${rank} has`);
        for (let k = rank; k >= 0; k--) expect(dpp.sampleOfSize(k, random).length).toBe(k); // an error spoils nothing
      }
    });

    test(`${path}: zero rows are never drawn, of items that are all the same one at most`, async () => {
      const random = seededRandom(2);
      const base = psd(seeded(3), 3, 4);
      const l = Array.from({ length: 5 }, (_, i) =>
        Array.from({ length: 5 }, (_, j) => (i % 2 === 0 && j % 2 === 0 ? base[i / 2][j / 2] : 0)),
      );
      const gaps = await make(l);
      expect(gaps.rank).toBe(rankBy(path, 5, 3));
      for (let draw = 0; draw < 2000; draw++) expect(gaps.sample(random).every((i) => i % 2 === 0)).toBe(true);
      expect(gaps.sampleOfSize(3, random)).toEqual([0, 2, 4]);
      expect(() => gaps.sampleOfSize(4, random)).toThrow(RankError);

      const same = await make(Array.from({ length: 7 }, () => new Array(7).fill(2)));
      expect(same.rank).toBe(rankBy(path, 7, 1));
      expect(furthest(same.marginals(), new Array(7).fill(2 / 15))).toBeLessThan(1e-13);
      for (let draw = 0; draw < 2000; draw++) expect(same.sample(random).length).toBeLessThanOrEqual(1);
      expect(same.sampleOfSize(1, random).length).toBe(1);
      expect(() => same.sampleOfSize(2, random)).toThrow(RankError);
    });
  }
});

describe('kernelDpp', () => {
  const make = async (l: number[][], options?: { size?: number; maxSpectral?: number }) => {
    const made = await kernelDpp(flat(l), l.length, options);
    if (made === null) throw new Error('no path');
    return made;
  };

  test('the cheapest path that is exact: dual for a low rank, dense for a full one, spectral for an indefinite kernel', async () => {
    const low = psd(seeded(1), 150, 10);
    const full = psd(seeded(2), 150, 160).map((row) => row.map((value) => value / 100));
    const large = full.map((row) => row.map((value) => value * 1e8));
    const indefinite = full.map((row, i) => row.map((value, j) => value - (i === j ? 0.5 : 0)));
    for (const [l, path] of [
      [low, 'dual'],
      [full, 'dense'],
      [large, 'dual'],
      [indefinite, 'spectral'],
    ] as const) {
      const { dpp, path: taken, totalVariation } = await make(l);
      expect(taken).toBe(path);
      const part = path === 'spectral' ? clipped(l) : l;
      expect(furthest(dpp.marginals(), diagonalOf(marginalKernel(part)))).toBeLessThan(1e-9);
      expect(dpp.logNormalizer).toBeCloseTo(logNormalizer(part), 7);
      expect(furthest(dpp.diagonal(), diagonalOf(part)) / dpp.diagonal()[0]).toBeLessThan(1e-10);
      expect(furthest(dpp.row(7), part[7]) / dpp.diagonal()[0]).toBeLessThan(1e-10);
      expect(totalVariation(null)).toBeLessThan(1e-3);
      expect(totalVariation(5)).toBeLessThan(1e-9);
    }
  });
});

describe('denseDpp', () => {
  test('finds the scale of k items where the first guess is far off', () => {
    // Every second item of 130 is next to worthless; the guess reads those and few others, or the others and few of those.
    for (const worthless of [0, 1]) {
      const n = 130;
      const k = unitDiagonal(psd(seeded(worthless), n, n + 5));
      const l = weighted(
        k,
        k.map((_, i) => (i % 2 === worthless ? 1e-2 : 1e2)),
      );
      const dpp = denseDpp(flat(l), n);
      const random = seededRandom(4);
      for (const size of [1, 10, 60, 80, 129, 130]) {
        const items = dpp.sampleOfSize(size, random);
        expect(items.length).toBe(size);
        expect(items.filter((i) => i % 2 === worthless).length).toBe(Math.max(0, size - n / 2));
      }
    }
  });
});
