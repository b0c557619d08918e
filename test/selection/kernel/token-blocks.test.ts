import fc from 'fast-check';
import { expect, test } from 'vitest';
import { partsOf, tokenBlocks, tokenMatrix } from '../../../src/selection/kernel/tokens.ts';
import { seeded } from './random.ts';

const D = 3;

test('hold every token of every item in its order, and nothing else but the last again; parts are as large as is asked', () => {
  const lengths = fc.array(fc.integer({ min: 0, max: 70 }), { maxLength: 12 });
  fc.assert(
    fc.property(lengths, fc.integer({ min: 1, max: 200 }), (counts, most) => {
      const random = seeded(counts.length);
      const items = counts.map((count) => ({
        tokens: Int8Array.from({ length: count * D }, () => random.below(255) - 127),
        tokenIds: new Int32Array(count),
      }));
      const blocks = tokenBlocks(tokenMatrix(items, D), [...items.keys()]);
      const parts = blocks.flatMap((block) => partsOf(block, D, most));
      for (const { items: own, perItem, scales } of parts) {
        expect(own.length === 1 || scales.length <= most).toBe(true);
        expect(scales).toHaveLength(own.length * perItem);
      }
      const held = parts.flatMap(({ items: own, perItem, values, scales }) =>
        own.map((item, place) => ({ item, perItem, from: place * perItem, values, scales })),
      );
      expect(held.map(({ item }) => item).sort((a, b) => a - b)).toEqual(
        [...counts.keys()].filter((item) => counts[item] > 0),
      );
      for (const { item, perItem, from, values, scales } of held) {
        expect(perItem).toBeLessThanOrEqual(Math.max(counts[item] + 1, 1.25 * counts[item]));
        for (let t = 0; t < perItem; t++) {
          const row = Math.min(t, counts[item] - 1);
          const token = items[item].tokens.subarray(row * D, (row + 1) * D);
          const found = values.subarray((from + t) * D, (from + t + 1) * D);
          expect([...found].map((value) => value - 128)).toEqual([...token]);
          const length = Math.hypot(...token);
          expect(scales[from + t]).toBe(length === 0 ? 0 : Math.fround(1 / length));
        }
      }
    }),
    { numRuns: 100, seed: 4 },
  );
});
