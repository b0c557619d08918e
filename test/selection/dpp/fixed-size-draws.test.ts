import { describe, expect, test } from 'vitest';
import { countsOf, expectLaw, KERNELS, PATHS } from './draws.ts';
import { det, eigenvalues, itemsOf, lawOf } from './kernels.ts';

const DRAWS = 60_000;

describe('draws of k items follow det(L_S) / e_k(L): sets and marginals', () => {
  let seeds = 200;
  for (const [name, { l, k }] of Object.entries(KERNELS)) {
    for (const [path, make] of Object.entries(PATHS)) {
      const seed = ++seeds;
      test(`${path}: ${name}, k = ${k}`, async () => {
        const dpp = await make(l);
        const counts = countsOf(l.length, DRAWS, seed, (random) => dpp.sampleOfSize(k, random));
        expectLaw(counts, lawOf(l, k), l.length);
      });
    }
  }

  test('the law is one: the sum of det(L_S) over the sets of k items is e_k of the eigenvalues', () => {
    for (const { l } of Object.values(KERNELS)) {
      const polynomials = [1, ...l.map(() => 0)];
      for (const value of eigenvalues(l)) {
        for (let k = l.length; k > 0; k--) polynomials[k] += value * polynomials[k - 1];
      }
      const sums = polynomials.map(() => 0);
      for (let set = 0; set < 1 << l.length; set++) {
        const items = itemsOf(set);
        sums[items.length] += det(l, items);
      }
      polynomials.forEach((value, k) => {
        expect(sums[k]).toBeCloseTo(value, 9);
      });
    }
  });
});
