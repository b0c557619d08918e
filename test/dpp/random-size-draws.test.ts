import { describe, expect, test } from 'vitest';
import { countsOf, expectLaw, KERNELS, PATHS } from './draws.ts';
import { lawOf } from './kernels.ts';

const DRAWS = 200_000;

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
