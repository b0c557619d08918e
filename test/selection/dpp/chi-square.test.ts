import { describe, expect, test } from 'vitest';
import { seeded } from '../kernel/random.ts';
import { byMembership, bySize, chiSquareTail, goodnessOfFit, logGamma, upperGamma } from './chi-square.ts';

describe('chiSquareTail', () => {
  // Abramowitz & Stegun, table 26.8: the values that a chi-square variable passes with a given probability.
  test('the percentage points of the table', () => {
    const table = [
      [0.05, 1, 3.84146],
      [0.01, 1, 6.6349],
      [0.001, 1, 10.828],
      [0.95, 5, 1.145476],
      [0.05, 5, 11.0705],
      [0.001, 10, 29.588],
      [0.5, 10, 9.34182],
      [0.995, 20, 7.43386],
      [0.05, 30, 43.7729],
      [0.001, 30, 59.703],
      [0.01, 100, 135.807],
      [0.001, 100, 149.449],
    ];
    for (const [p, degrees, x] of table) expect(chiSquareTail(x, degrees) / p, `${degrees}, ${x}`).toBeCloseTo(1, 3);
  });

  test('closed forms: two degrees are exponential, four and six sums, one the error function', () => {
    for (const x of [0, 0.1, 1, 3, 8, 20, 60, 300]) {
      const h = x / 2;
      expect(chiSquareTail(x, 2) / Math.exp(-h)).toBeCloseTo(1, 12);
      expect(chiSquareTail(x, 4) / (Math.exp(-h) * (1 + h))).toBeCloseTo(1, 12);
      expect(chiSquareTail(x, 6) / (Math.exp(-h) * (1 + h + (h * h) / 2))).toBeCloseTo(1, 12);
    }
    expect(upperGamma(0.5, 1)).toBeCloseTo(0.157299207050285, 13); // erfc(1)
    expect(upperGamma(0.5, 4) / 0.004677734981047266).toBeCloseTo(1, 12); // erfc(2)
  });

  test('logGamma: factorials and the square root of pi', () => {
    let log = 0;
    for (let m = 1; m < 40; m++) {
      expect(logGamma(m)).toBeCloseTo(log, 11);
      log += Math.log(m);
    }
    expect(logGamma(0.5)).toBeCloseTo(Math.log(Math.PI) / 2, 13);
  });
});

describe('goodnessOfFit', () => {
  const law = [0.5, 0.25, 0.2, 0.05 - 1e-6, 1e-6, 0];
  const drawn = (weights: readonly number[], draws: number) => {
    const counts = weights.map(() => 0);
    const random = seeded(1);
    for (let draw = 0; draw < draws; draw++) {
      let u = random.next();
      let cell = 0;
      while (u >= weights[cell]) u -= weights[cell++];
      counts[cell]++;
    }
    return counts;
  };

  test('accepts the law, refuses one that is a percent off', () => {
    const fit = goodnessOfFit(drawn(law, 200_000), law);
    expect(fit.p).toBeGreaterThan(0.001);
    expect(fit.impossible).toBe(0);
    expect(goodnessOfFit(drawn([0.49, 0.26, 0.2, 0.05, 0, 0], 200_000), law).p).toBeLessThan(1e-6);
  });

  test('by hand: cells expecting under 5 are one cell, what cannot be is counted', () => {
    // Expected 50, 40, 4, 4 and 2, 0; the last three make one cell of 10.
    const fit = goodnessOfFit([45, 47, 1, 3, 3, 1], [0.5, 0.4, 0.04, 0.04, 0.02, 0]);
    expect(fit.p).toBeCloseTo(Math.exp(-(25 / 50 + 49 / 40 + 4 / 10) / 2), 12);
    expect(fit.impossible).toBe(1);
  });

  test('sums by size and by membership', () => {
    const values = [1, 2, 3, 4, 5, 6, 7, 8];
    expect([...bySize(values, 3)]).toEqual([1, 2 + 3 + 5, 4 + 6 + 7, 8]);
    expect([byMembership(values, 0), byMembership(values, 2)]).toEqual([
      [16, 20],
      [10, 26],
    ]);
  });
});
