import fc from 'fast-check';
import { expect, test } from 'vitest';
import { alwaysValidP } from '../../../../src/server/experiments/statistics/always-valid-p.ts';
import { criticalValue } from '../../../../src/server/experiments/statistics/critical-value.ts';
import { sequentialCritical } from '../../../../src/server/experiments/statistics/sequential-critical.ts';

// Reference values: python3 test/server/experiments/statistics/references.py.
test.each([
  [500, 3.8550546335303109, 1.97],
  [2000, 3.1237790916747294, 1.59],
  [5000, 3.0352089903762534, 1.55],
  [100_000, 3.3368575337865996, 1.7],
])('at %d subjects the sequence reaches %d standard errors, %d times the fixed interval', (subjects, width, times) => {
  expect(sequentialCritical(subjects, 0.05)).toBeCloseTo(width, 10);
  expect(sequentialCritical(subjects, 0.05) / criticalValue(0.05, null)).toBeCloseTo(times, 2);
});

test('a difference at the edge of the sequence has a p-value of alpha', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 2, max: 1e7 }),
      fc.double({ min: 0.001, max: 0.5, noNaN: true }),
      (subjects, alpha) => {
        const edge = sequentialCritical(subjects, alpha);
        expect(alwaysValidP(edge, subjects, alpha)).toBeCloseTo(alpha, 10);
        expect(alwaysValidP(-edge, subjects, alpha)).toBeCloseTo(alpha, 10);
        expect(edge).toBeGreaterThan(criticalValue(alpha, null));
      },
    ),
  );
});

test('p falls from 1 without a difference towards 0', () => {
  expect(alwaysValidP(0, 4000, 0.05)).toBe(1);
  expect(alwaysValidP(100, 4000, 0.05)).toBe(0);
});
