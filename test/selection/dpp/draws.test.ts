import { describe, test } from 'vitest';
import { countsOf, expectLaw, KERNELS, PATHS } from './draws.ts';
import { lawOf } from './kernels.ts';

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
