import { describe, expect, test } from 'vitest';
import { kernelDpp } from '../../../src/selection/dpp/kernel-dpp.ts';
import { seeded } from '../kernel/random.ts';
import { chosenOf, countsOf, denseOf, dualOf, expectLaw, spectralOf } from './draws.ts';
import {
  bertscoreGaussian,
  clipped,
  eigenvalues,
  flat,
  lawOf,
  psd,
  repeated,
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
