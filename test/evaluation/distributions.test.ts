import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  adjustPValues,
  chiSquareTail,
  normalCdf,
  normalQuantile,
  tCdf,
  tQuantile,
} from '../../src/evaluation/distributions.ts';

// Reference values: R 4.2.2, options(digits = 17).
const close = (found: number, expected: number, tolerance = 1e-12) =>
  expect(Math.abs(found / expected - 1), `${found} for ${expected}`).toBeLessThan(tolerance);

test.each([
  // pnorm(z)
  [-37, 5.725571222524577e-300],
  [-20, 2.7536241186062337e-89],
  [-9, 1.1285884059538408e-19],
  [-2.6, 0.004661188023718748],
  [-2.4, 0.008197535924596135],
  [-0.1, 0.460172162722971],
  [1.5, 0.9331927987311419],
  [6, 0.9999999990134123],
])('a standard normal variable is at most %d with probability %d', (z, p) => {
  close(normalCdf(z), p);
});

test.each([
  // qnorm(p)
  [1e-300, -37.0470962993612],
  [1e-20, -9.262340089798405],
  [0.001, -3.090232306167813],
  [0.3, -0.5244005127080407],
  [0.8, 0.8416212335729144],
  [0.975, 1.9599639845400536],
])('the normal quantile at %d is %d', (p, z) => {
  close(normalQuantile(p), z, 1e-14);
});

test.each([
  // pt(t, v)
  [-1e6, 0.3, 0.00553921317251294],
  [2, 0.3, 0.7178651505196085],
  [-1e6, 2.5, 7.193397190814231e-16],
  [-3, 2.5, 0.03628804777451592],
  [-1e6, 30, 1.0364534648044268e-159],
  [-0.01, 30, 0.49604374628658887],
  [-9, 5841.7, 1.5008448153917903e-19],
  [2, 5841.7, 0.9772267603289411],
  [-30, 1e6, 6.010047116831666e-198],
])('Student’s t is at most %d with %d degrees of freedom with probability %d', (t, v, p) => {
  close(tCdf(t, v), p, 1e-11);
});

test.each([
  // qt(p, v)
  [0.01, 0.3, -139581.20070622594],
  [0.025, 7.77, -2.3179399298915517],
  [1e-9, 2.5, -3489.5833953699907],
  [0.001, 1e6, -3.0902404563165193],
])('the quantile of Student’s t at %d with %d degrees of freedom is %d', (p, v, t) => {
  close(tQuantile(p, v), t, 1e-11);
});

test.each([
  // pchisq(x, k, lower.tail = FALSE)
  [3.5, 5, 0.6233876277495819],
  [81, 1, 2.257176811907681e-19],
  [100, 3, 1.5541594313896051e-21],
  [0.5, 4, 0.9735009788392561],
  [12, 7, 0.10055886850835885],
])('chi-square exceeds %d with %d degrees of freedom with probability %d', (x, k, p) => {
  close(chiSquareTail(x, k), p);
});

test('quantiles are the inverse of the distribution functions', () => {
  const probability = fc.double({ min: 1e-12, max: 1 - 1e-12, noNaN: true });
  fc.assert(
    fc.property(probability, fc.double({ min: 0.5, max: 1e4, noNaN: true }), (p, v) => {
      expect(normalCdf(normalQuantile(p))).toBeCloseTo(p, 13);
      expect(tCdf(tQuantile(p, v), v)).toBeCloseTo(p, 11);
    }),
    { numRuns: 100 },
  );
});

test('the ends of the distributions', () => {
  expect([normalQuantile(0), normalQuantile(1), normalQuantile(0.5)]).toEqual([-Infinity, Infinity, 0]);
  expect([normalCdf(-50), normalCdf(50), normalCdf(0)]).toEqual([0, 1, 0.5]);
  expect([tCdf(0, 3), tQuantile(0.5, 3), chiSquareTail(0, 2), chiSquareTail(1e12, 5)]).toEqual([0.5, 0, 1, 0]);
});

test('p-values are corrected as by p.adjust, unknown ones counting towards the number', () => {
  const values = [0.01, 0.04, null, 0.03, 0.005, 0.9];
  const near = (found: readonly (number | null)[], expected: readonly (number | null)[]) =>
    expect(found.map((p) => p && Number(p.toFixed(12)))).toEqual(expected);
  near(adjustPValues(values, 'holm'), [0.05, 0.12, null, 0.12, 0.03, 1]);
  near(adjustPValues(values, 'benjamini-hochberg'), [0.03, 0.06, null, 0.06, 0.03, 1]);
});
