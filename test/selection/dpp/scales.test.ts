import { describe, expect, test } from 'vitest';
import { expectedSize } from '../../../src/selection/dpp/dpp.ts';
import { kernelDpp } from '../../../src/selection/dpp/kernel-dpp.ts';
import { seededRandom } from '../../../src/selection/index.ts';
import { furthest, seeded } from '../kernel/random.ts';
import { countsOf, expectLaw } from './draws.ts';
import { clipped, diagonalOf, eigenvalues, flat, lawOf, psd } from './kernels.ts';

const SCALES = [1e-200, 1e-165, 1e-150, 1e-100, 1e-20, 1, 1e20, 1e100, 1e150, 1e160, 1e200];

const less = (l: number[][], by: number): number[][] =>
  l.map((row, i) => row.map((value, j) => value - (i === j ? by : 0)));

describe('a kernel at scales from 1e-200 to 1e200', () => {
  const kernels = {
    'positive, n = 6': { l: psd(seeded(1), 6, 7), k: 3, paths: ['dual'] },
    'rank 4, n = 6': { l: psd(seeded(4), 6, 4), k: 2, paths: ['dual'] },
    'indefinite, n = 6': { l: less(psd(seeded(2), 6, 8), 2), k: 2, paths: ['spectral'] },
    'positive, n = 80': { l: psd(seeded(1), 80, 90), k: 40, paths: ['dense', 'dual'] },
    'indefinite, n = 80': { l: less(psd(seeded(2), 80, 90), 2), k: 40, paths: ['spectral'] },
  };

  for (const [name, { l, k, paths }] of Object.entries(kernels)) {
    const n = l.length;
    const values = eigenvalues(l);
    const largest = values[n - 1];
    const part = clipped(l);
    const positive = values.map((value) => (value > 1e-9 * largest ? value : 0));
    const rank = positive.filter((value) => value > 0).length;
    const negative = values.filter((value) => value < -1e-9 * largest).reduce((sum, value) => sum - value, 0);

    test.each(SCALES)(`${name}: times %f`, async (scale) => {
      const made = await kernelDpp(
        flat(l).map((value) => value * scale),
        n,
        { size: k },
      );
      if (made === null) throw new Error('no path');
      const { dpp, path, clippedMass, residual, totalVariation } = made;
      expect(paths).toContain(path);

      const mass = negative / values.reduce((sum, value) => sum + Math.abs(value), 0);
      expect(Math.abs(clippedMass - mass)).toBeLessThan(1e-12);
      expect(residual / scale).toBeLessThan(1e-9 * largest);
      expect(totalVariation(k)).toBeLessThan(1e-9);
      const logNormalizer = positive.reduce((sum, value) => sum + Math.log1p(scale * value), 0);
      expect(Math.abs(dpp.logNormalizer - logNormalizer)).toBeLessThan(1e-12 + 1e-11 * logNormalizer);
      const size = positive.reduce((sum, value) => sum + (scale * value) / (1 + scale * value), 0);
      expect(Math.abs(expectedSize(dpp) - size)).toBeLessThan(1e-9);
      expect(dpp.marginals().every((p) => p >= 0 && p < 1 + 1e-9)).toBe(true);
      const unscaled = (a: Float64Array) => a.map((value) => value / scale);
      expect(furthest(unscaled(dpp.diagonal()), diagonalOf(part))).toBeLessThan(1e-11 * largest);
      expect(furthest(unscaled(dpp.row(n - 1)), part[n - 1])).toBeLessThan(1e-11 * largest);

      // Of random size: nothing, or as many as there are dimensions.
      const random = seededRandom(71);
      for (let draw = 0; draw < 50; draw++) {
        const { length } = dpp.sample(random);
        if (scale <= 1e-20) expect(length).toBe(0);
        if (scale >= 1e20) expect(length).toBe(rank);
      }
      // Of k items: what the scale has no part in.
      if (n === 6) {
        const draw = (generator: () => number) => dpp.sampleOfSize(k, generator);
        expectLaw(countsOf(n, 20_000, 72, draw), lawOf(part, k), n);
      }
      for (const size of [1, k, rank]) {
        const items = dpp.sampleOfSize(size, random);
        expect(items.length).toBe(size);
        expect(items).toEqual([...new Set(items)].sort((a, b) => a - b));
        expect(eigenvalues(items.map((i) => items.map((j) => part[i][j])))[0]).toBeGreaterThan(1e-12 * largest);
      }
    });
  }
});
