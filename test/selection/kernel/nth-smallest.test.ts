import fc from 'fast-check';
import { expect, test } from 'vitest';
import { nthSmallest } from '../../../src/selection/kernel/reference.ts';

test('is what stands there in the sorted list, with many alike and of any order', () => {
  const value = fc.oneof(fc.integer({ min: -3, max: 3 }), fc.double({ noNaN: true }));
  fc.assert(
    fc.property(fc.array(value, { minLength: 1, maxLength: 60 }), fc.nat(), (values, at) => {
      const place = at % values.length;
      // Zeros of both signs are the same to whoever compares them.
      const expected = Float64Array.from(values).sort()[place] + 0;
      expect(nthSmallest(Float64Array.from(values), place) + 0).toBe(expected);
    }),
    { numRuns: 500, seed: 9 },
  );
});

test('takes no longer for a list that is sorted already', () => {
  for (const list of [(i: number) => i, (i: number) => -i, () => 1, (i: number) => i % 2]) {
    const values = Float64Array.from({ length: 200_000 }, (_, i) => list(i));
    const start = performance.now();
    nthSmallest(values, 100_000);
    expect(performance.now() - start).toBeLessThan(2000);
  }
});
