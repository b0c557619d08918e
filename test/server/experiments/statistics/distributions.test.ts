import chiSquareCdf from '@stdlib/stats-base-dists-chisquare-cdf';
import { expect, test } from 'vitest';
import { criticalValue } from '../../../../src/server/experiments/statistics/critical-value.ts';
import { chiSquareTail } from '../../../../src/server/experiments/statistics/sample-ratio.ts';
import { twoSidedP } from '../../../../src/server/index.ts';

// Reference values: python3 test/server/experiments/statistics/references.py, unless another source is named.
const close = (found: number, expected: number, tolerance = 1e-9) =>
  expect(Math.abs(found / expected - 1)).toBeLessThan(tolerance);

test.each([
  [1.5, 0.13361440253771614],
  [3, 0.0026997960632601892],
  [9, 2.2571768119076811e-19],
  [20, 5.5072482372124675e-89],
  [37, 1.1451142445049154e-299],
])('the two tails beyond z = %d hold %d', (z, p) => {
  close(twoSidedP(z, null), p);
  close(twoSidedP(-z, null), p);
});

test.each([
  [2, 7.77, 0.081573138522444508],
  [9, 30, 5.0148319161478606e-10],
  [30, 100, 8.3803325586881655e-52],
  [2, 3.5, 0.1261385225759129],
])('the two tails of Student’s t beyond %d with %d degrees of freedom hold %d', (t, v, p) => {
  close(twoSidedP(t, v), p);
  close(twoSidedP(-t, v), p);
});

test('with one and two degrees of freedom Student’s tails have closed forms, with many they are normal', () => {
  for (const t of [0.01, 1, 4, 1000]) {
    close(twoSidedP(t, 1), (2 / Math.PI) * Math.atan(1 / t));
    close(twoSidedP(t, 2), 2 / (Math.sqrt(t * t + 2) * (t + Math.sqrt(t * t + 2))));
  }
  close(twoSidedP(9, 1e9), twoSidedP(9, null), 1e-4);
  expect(twoSidedP(0, 5)).toBe(1);
});

test('critical values are those of tables, and the inverse of the tails', () => {
  expect(criticalValue(0.05, null)).toBeCloseTo(1.959963984540054, 12);
  expect(criticalValue(0.01, null)).toBeCloseTo(2.5758293035489, 12);
  // NIST/SEMATECH e-Handbook of Statistical Methods, 1.3.6.7.2: 2.228 and 12.706.
  expect(criticalValue(0.05, 10)).toBeCloseTo(2.2281388519649, 10);
  expect(criticalValue(0.05, 1)).toBeCloseTo(12.7062047361747, 8);
  expect(criticalValue(0.05, 7.77)).toBeCloseTo(2.3179399298913, 9);
  for (const v of [null, 1, 2.5, 17.78, 999.4, 5841.7, 1e6]) {
    for (const alpha of [0.2, 0.05, 0.001]) close(twoSidedP(criticalValue(alpha, v), v), alpha);
  }
});

test.each([
  [3.5, 5, 0.62338762774958201],
  [2, 5, 0.84914503608460967],
  [81, 1, 2.2571768119076811e-19],
  [100, 3, 1.5541594313896049e-21],
  [60, 2, 9.3576229688401748e-14],
  [0.5, 4, 0.97350097883925613],
  [12, 7, 0.10055886850835884],
])('the tail of chi-square beyond %d with %d degrees of freedom holds %d', (x, k, p) => {
  close(chiSquareTail(x, k), p);
});

test('the tail of chi-square is what the library’s distribution leaves of 1, from nothing to everything', () => {
  for (let k = 1; k <= 12; k++) {
    for (const x of [1e-9, 0.3, 1, 4, 9, 20]) expect(chiSquareTail(x, k)).toBeCloseTo(1 - chiSquareCdf(x, k), 12);
    expect(chiSquareTail(0, k)).toBe(1);
    expect(chiSquareTail(1e12, k)).toBe(0);
  }
});
