import fc from 'fast-check';
import { expect, test } from 'vitest';
import { shareOut } from '../../../src/lab/questions/reading-windows.ts';

const sizes = fc.array(fc.integer({ min: 1, max: 50_000 }), { minLength: 1, maxLength: 60 });

test('shares sum to the number, and each differs from its proportion by less than one', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 100 }), sizes, (count, parts) => {
      const shares = shareOut(count, parts);
      const total = parts.reduce((sum, size) => sum + size, 0);
      expect(shares.reduce((sum, share) => sum + share, 0)).toBe(count);
      shares.forEach((share, place) => {
        expect(share).toBeGreaterThanOrEqual(0);
        // Both ends are rounded by at most a half.
        expect(Math.abs(share - (count * parts[place]) / total)).toBeLessThanOrEqual(1 + 1e-9);
      });
    }),
  );
});

test('spreads few over many', () => {
  const shares = shareOut(4, new Array(20).fill(7));
  const places = shares.flatMap((share, place) => (share > 0 ? [place] : []));
  expect(places).toHaveLength(4);
  for (const [n, place] of places.entries()) if (n > 0) expect(place - places[n - 1]).toBe(5);
});
