import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fitToWords } from '../../../src/selection/index.ts';

describe('fitToWords', () => {
  it.each([
    [null, 0, [0, 1, 2, 3]],
    [12, 0, [0, 2, 3]],
    [12, 3, [0, 2]],
    [4, 3, [2]],
    [2, 0, [3]],
  ])('a bound of %j with %i in reserve keeps %j of 5, 30, 4 and 3 words', (maxWords, reserve, kept) => {
    expect(fitToWords([5, 30, 4, 3], maxWords, reserve)).toEqual(kept);
  });

  it('takes no picks', () => expect(fitToWords([], 10, 5)).toEqual([]));

  it('stays within the bound whenever more than one pick is kept', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1 }),
        fc.integer({ min: 1, max: 300 }),
        fc.integer({ min: 0, max: 50 }),
        (words, maxWords, reserve) => {
          const kept = fitToWords(words, maxWords, reserve);
          expect(kept.length).toBeGreaterThan(0);
          const total = kept.reduce((sum, position) => sum + words[position], 0);
          if (kept.length > 1) expect(total).toBeLessThanOrEqual(maxWords - reserve);
        },
      ),
    );
  });
});
