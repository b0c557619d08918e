import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { mean, share, sum } from '../../src/evaluation/index.ts';
import { harmonicMean } from '../../src/evaluation/metric.ts';

describe('mean and sum', () => {
  test('are the same to the last bit in any order', () => {
    // Summed as they stand, these two orders differ.
    expect(0.1 + 0.2 + 0.3).not.toBe(0.3 + 0.2 + 0.1);
    expect(sum([0.1, 0.2, 0.3])).toBe(sum([0.3, 0.2, 0.1]));
    const values = fc.array(fc.double({ min: 0, max: 100, noNaN: true }), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(values, fc.nat(), (given, turn) => {
        const place = turn % given.length;
        const turned = [...given.slice(place), ...given.slice(0, place)].toReversed();
        expect(mean(turned)).toBe(mean(given));
        expect(mean(given)).toBeCloseTo(given.reduce((total, value) => total + value, 0) / given.length, 9);
      }),
    );
  });

  test('nothing has the sum 0 and no mean, and a mean leaves its values alone', () => {
    expect([sum([]), mean([])]).toEqual([0, null]);
    const values = [3, 1, 2];
    expect(mean(values)).toBe(2);
    expect(values).toEqual([3, 1, 2]);
  });
});

test('a harmonic mean is 0 where both are, and null where one is missing', () => {
  expect(harmonicMean(75, 40)).toBeCloseTo(2 / (1 / 75 + 1 / 40), 12);
  expect(harmonicMean(0, 0)).toBe(0);
  expect(harmonicMean(0, 80)).toBe(0);
  expect(harmonicMean(null, 80)).toBeNull();
  expect(harmonicMean(80, null)).toBeNull();
});

test('a share is in percent, and null of nothing', () => {
  expect(share([true, false, false, true, false])).toBe(40);
  expect(share([])).toBeNull();
});
