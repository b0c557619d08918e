import { describe, expect, test } from 'vitest';
import { choleskyOf, copyLower } from '../../../src/selection/dpp/cholesky.ts';
import { kernelDpp } from '../../../src/selection/dpp/kernel-dpp.ts';
import { thinnedDraw } from '../../../src/selection/dpp/sample-by-thinning.ts';
import { seededRandom } from '../../../src/selection/index.ts';
import { seeded } from '../kernel/random.ts';
import { bySize, goodnessOfFit } from './chi-square.ts';
import { chosenOf, countsOf, denseOf, dualOf, expectLaw, KERNELS, PATHS, spectralOf } from './draws.ts';
import {
  bertscoreGaussian,
  clipped,
  eigenvalues,
  flat,
  lawOf,
  maskOf,
  psd,
  repeated,
  unitDiagonal,
  weighted,
} from './kernels.ts';

const DRAWS = 20_000;

describe.each(Object.entries(PATHS))('%s', (_, make) => {
  let seed = 100;
  test.each(Object.entries(KERNELS))('%s: random size follows det(L_S) / det(L + I)', async (_, { l }) => {
    const dpp = await make(l);
    expectLaw(countsOf(l.length, DRAWS, ++seed, dpp.sample), lawOf(l), l.length);
  });

  test.each(Object.entries(KERNELS))('%s: k items follow det(L_S) / e_k(L)', async (_, { l, k }) => {
    const dpp = await make(l);
    const counts = countsOf(l.length, DRAWS, ++seed, (random) => dpp.sampleOfSize(k, random));
    expectLaw(counts, lawOf(l, k), l.length);
  });
});

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
      expectLaw(countsOf(n, 30_000, s, dpp.sample), lawOf(clipped(l)), n);
      expectLaw(
        countsOf(n, 30_000, s + 1, (random) => dpp.sampleOfSize(k, random)),
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

/** C with L + I = C C^T. */
function factorOf(l: readonly (readonly number[])[], alpha = 1): Float64Array {
  const n = l.length;
  const factor = choleskyOf(n, (i, row) => {
    for (let j = 0; j <= i; j++) row[j] = alpha * l[i][j];
    row[i] += 1;
  });
  if (factor === null) throw new Error('not positive');
  const out = new Float64Array(n * n);
  copyLower(factor, out, n);
  return out;
}

describe('draws of the DPP that have k items follow its law, whatever k: as often as the DPP has that size, no other set', () => {
  for (const [name, { l }] of Object.entries(KERNELS)) {
    test(name, () => {
      const n = l.length;
      const law = lawOf(l);
      const draws = 8000;
      for (let k = 1; k <= 3; k++) {
        const draw = thinnedDraw(factorOf(l), n, k);
        const random = seededRandom(k);
        const counts = new Float64Array(1 << n);
        for (let turn = 0; turn < draws; turn++) {
          const drawn = draw(random);
          if ('items' in drawn) expect(drawn.items).not.toBe(k);
          else counts[maskOf([...drawn])]++;
        }
        const reached = counts.reduce((sum, count) => sum + count, 0);
        const share = bySize(law, n)[k];
        expect(goodnessOfFit([reached, draws - reached], [share, 1 - share]).p).toBeGreaterThan(0.001);
        expectLaw(counts, lawOf(l, k), n);
      }
    });
  }
});
