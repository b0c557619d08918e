import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  detectableEffect,
  detectableShareEffect,
} from '../../../../src/server/experiments/statistics/detectable-effect.ts';
import { detectableErrors } from '../../../../src/server/experiments/statistics/power.ts';
import { sampleSize } from '../../../../src/server/experiments/statistics/sample-size.ts';
import { power } from './power.ts';

const shares = (p: number, q: number) => ({
  difference: q - p,
  controlVariance: p * (1 - p),
  treatmentVariance: q * (1 - q),
  controlShare: 1,
});

// 1373.55 and 14748.05: python3 test/server/experiments/statistics/references.py.
test.each([
  [0.3, 0.35, 1374],
  [0.1, 0.11, 14_749],
])('to see %d become %d takes %d subjects an arm', (p, q, n) => {
  expect(sampleSize(shares(p, q), 0.05)).toEqual({ control: n, treatment: n });
});

test('Chow, Shao & Wang, example 3.2.4: a difference of 5% with a standard deviation of 10% takes 63 an arm', () => {
  const plan = { difference: 0.05, controlVariance: 0.01, treatmentVariance: 0.01, controlShare: 1 };
  expect(sampleSize(plan, 0.05)).toEqual({ control: 63, treatment: 63 });
});

test('so many subjects have 80% power, one fewer less, and any split the same', () => {
  for (const controlShare of [1, 9, 1 / 3]) {
    const plan = { ...shares(0.2, 0.22), controlShare };
    const { control, treatment } = sampleSize(plan, 0.05);
    const at = (a: number, b: number) =>
      power(plan.difference / Math.sqrt(plan.controlVariance / a + plan.treatmentVariance / b), 0.05);
    expect(at(control, treatment)).toBeGreaterThanOrEqual(0.8);
    expect(at(control - Math.ceil(controlShare), treatment - 1)).toBeLessThan(0.8);
    expect(control / treatment).toBeCloseTo(controlShare, 2);
  }
});

test('power is alpha without an effect, the same to both sides, and 0.8 at what is detectable', () => {
  expect(power(0, 0.05)).toBeCloseTo(0.05, 12);
  expect(power(-1.3, 0.05)).toBeCloseTo(power(1.3, 0.05), 12);
  expect(detectableErrors(0.05)).toBeCloseTo(1.959963984540054 + 0.8416212335729144, 9);
  // The tail to the other side adds 1e-6.
  expect(power(detectableErrors(0.05), 0.05)).toBeCloseTo(0.8, 5);
});

test('what is detectable with the sample size of an effect is that effect', () => {
  fc.assert(
    fc.property(
      fc.double({ min: 0.02, max: 0.9, noNaN: true }),
      fc.double({ min: 0.01, max: 0.1, noNaN: true }),
      fc.constantFrom('increase' as const, 'decrease' as const),
      (p, effect, direction) => {
        const q = p * (1 + (direction === 'increase' ? effect : -effect));
        // Before it is rounded up to a whole number.
        const n = (detectableErrors(0.05) / (q - p)) ** 2 * (p * (1 - p) + q * (1 - q));
        const control = { n, mean: p, variance: (p * (1 - p)) / n };
        expect(detectableShareEffect(control, n, 0.05, direction)).toBeCloseTo(effect, 8);
      },
    ),
  );
  const arm = { n: 63, mean: 0.5, variance: 0.01 / 63 };
  expect(detectableEffect(arm, arm, 0.05)).toBeCloseTo(0.1, 3);
  expect(detectableEffect({ ...arm, mean: -0.5 }, arm, 0.05)).toBeCloseTo(0.1, 3);
});

test('where no share is far enough, or the control is 0, there is none', () => {
  expect(detectableShareEffect({ n: 10, mean: 0.9, variance: 0.009 }, 10, 0.05, 'increase')).toBeNull();
  expect(detectableShareEffect({ n: 10, mean: 0, variance: 0 }, 10, 0.05, 'increase')).toBeNull();
  expect(detectableShareEffect({ n: 10, mean: 1, variance: 0 }, 10, 0.05, 'increase')).toBeNull();
  expect(detectableEffect({ n: 10, mean: 0, variance: 1 }, { n: 10, mean: 2, variance: 1 }, 0.05)).toBeNull();
});
