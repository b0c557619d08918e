import { describe, expect, test } from 'vitest';
import { logElementarySymmetric } from '../../../src/selection/dpp/spectral-dpp.ts';
import { seeded } from '../kernel/random.ts';
import { itemsOf } from './kernels.ts';

/** log e_l(values): every product of l of them, added up; -Infinity for none. */
function bruteForce(values: readonly number[], l: number): number {
  const logs: number[] = [];
  for (let set = 0; set < 1 << values.length; set++) {
    const items = itemsOf(set);
    if (items.length === l) logs.push(items.reduce((sum, i) => sum + Math.log(values[i]), 0));
  }
  const most = Math.max(...logs);
  if (most === Number.NEGATIVE_INFINITY) return most;
  return most + Math.log(logs.reduce((sum, log) => sum + Math.exp(log - most), 0));
}

function expectTable(values: readonly number[], k: number): void {
  const width = values.length + 1;
  const table = logElementarySymmetric(values, k);
  expect(table.length).toBe((k + 1) * width);
  for (let l = 0; l <= k; l++) {
    for (let m = 0; m < width; m++) {
      const expected = bruteForce(values.slice(0, m), l);
      const found = table[l * width + m];
      if (expected === Number.NEGATIVE_INFINITY) expect(found).toBe(expected);
      else expect(Math.abs(found - expected)).toBeLessThan(1e-13 * Math.max(1, Math.abs(expected)));
    }
  }
}

describe('logElementarySymmetric', () => {
  test('sums over all subsets of every prefix, whatever the values and k', () => {
    for (let seed = 0; seed < 40; seed++) {
      const random = seeded(seed);
      const values = Array.from({ length: random.below(10) }, () => random.next() * 3);
      expectTable(values, random.below(values.length + 3));
    }
  });

  test('zeros, tiny and huge values', () => {
    expectTable([0, 0, 0], 3);
    expectTable([0, 2, 0, 3], 4);
    expectTable([1e-300, 2e-300, 3e-300, 1e-310], 4);
    expectTable([1e300, 2e300, 3e300, 1.7e308], 4);
    expectTable([1e300, 1e-300, 1, 0, 5e-324, 1e150], 6);
  });
});
