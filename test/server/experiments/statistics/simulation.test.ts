import { expect, test } from 'vitest';
import { power } from './power.ts';
import { lookOften, lookOnce, splitFairly, UNEVEN, WORLDS } from './simulations.ts';

// Smaller than test/bench/experiments-simulation.ts, whose figures docs/decisions/experiment-statistics.md has.
test.each(Object.entries(WORLDS))('of A/A tests of a %s 4 to 6% find a difference at one look', (_, world) => {
  const { rejected, covered } = lookOnce(world, { subjects: 200, runs: 2500, seed: 8 });
  expect(rejected).toBeGreaterThan(0.04);
  expect(rejected).toBeLessThan(0.06);
  expect(covered).toBeGreaterThan(0.94);
});

test('over 100 looks at most 5% find a difference by the sequential interval, and many more by the fixed one', () => {
  const { fixed, sequential } = lookOften(WORLDS.share, { subjects: 2000, runs: 120, seed: 5 });
  expect(sequential).toBeLessThanOrEqual(0.05);
  expect(fixed).toBeGreaterThan(0.25);
});

test('nor more than 5% at uneven splits of rare, skewed values', () => {
  const { sequential } = lookOften(UNEVEN['revenue, 5% buy, 90:10'], { subjects: 20_000, runs: 60, seed: 6 });
  expect(sequential).toBeLessThanOrEqual(0.05);
});

test('intervals hold the true difference and lift 94 to 96% of the time', () => {
  for (const world of [
    { ...WORLDS.share, effect: 0.2 },
    { ...WORLDS.mean, effect: 0.1 },
  ]) {
    const { covered, liftCovered } = lookOnce(world, { subjects: 300, runs: 2500, seed: 10 });
    for (const share of [covered, liftCovered]) {
      expect(share).toBeGreaterThan(0.94);
      expect(share).toBeLessThan(0.96);
    }
  }
});

test('a fair split is called a mismatch at most twice in a thousand', () => {
  expect(splitFairly([0.5, 0.3, 0.2], { subjects: 200, runs: 5000, seed: 11 })).toBeLessThanOrEqual(0.002);
});

test('power is within two points of the formula', () => {
  // 60% of the 1,374 that 80% power takes.
  const [p, q, n] = [0.3, 0.35, 824];
  const expected = power((q - p) / Math.sqrt((p * (1 - p) + q * (1 - q)) / n), 0.05);
  const world = { type: 'binomial', value: p, effect: q / p - 1 } as const;
  const { rejected } = lookOnce(world, { subjects: n, runs: 2000, seed: 12 });
  expect(Math.abs(rejected - expected)).toBeLessThan(0.02);
});
