import { describe, expect, test } from 'vitest';
import { countsOf, expectLaw, firstCountsOf, KERNELS, PATHS } from './draws.ts';
import { lawOf } from './kernels.ts';

const DRAWS = 60_000;

describe('draws of random size follow det(L_S) / det(L + I): sets, sizes and marginals', () => {
  let seeds = 100;
  for (const [name, { l }] of Object.entries(KERNELS)) {
    for (const [path, make] of Object.entries(PATHS)) {
      const seed = ++seeds;
      test(`${path}: ${name}`, async () => {
        const dpp = await make(l);
        const counts = countsOf(l.length, DRAWS, seed, dpp.sample);
        expect(counts.reduce((sum, count) => sum + count, 0)).toBe(DRAWS);
        expectLaw(counts, lawOf(l), l.length);
      });
    }
  }
});

describe('one draw from each of the seeds 0 to 19,999 follows the law too', () => {
  const { l, k } = KERNELS['full rank, n = 6'];
  for (const [path, make] of Object.entries(PATHS)) {
    test(`${path}: of random size and of ${k} items`, async () => {
      const dpp = await make(l);
      expectLaw(firstCountsOf(6, 20_000, dpp.sample), lawOf(l), 6);
      expectLaw(
        firstCountsOf(6, 20_000, (random) => dpp.sampleOfSize(k, random)),
        lawOf(l, k),
        6,
      );
    });
  }
});
