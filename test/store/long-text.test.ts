import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cutText, jsonRows, PART_BYTES } from '../../src/store/rows.ts';

/** Long texts of pieces of one to four bytes a code point, so that cuts fall everywhere. */
const long = fc
  .tuple(fc.array(fc.constantFrom('a', 'ä', '字', '😀', '\u2028', '\u0001'), { minLength: 1, maxLength: 7 }), fc.nat(9))
  .map(([pieces, more]) => pieces.join('').repeat(Math.ceil(250_000 / pieces.length)) + 'x'.repeat(more));

test('parts give the text, are no longer than they may be, and split no pair', () => {
  fc.assert(
    fc.property(long, (text) => {
      const { text: whole, parts } = cutText(text);
      expect(parts.length > 0 ? parts.join('') === text && whole === '' : whole === text).toBe(true);
      expect(parts.length > 0).toBe(Buffer.byteLength(text) > PART_BYTES);
      for (const part of parts) {
        expect(Buffer.byteLength(part)).toBeLessThanOrEqual(PART_BYTES);
        expect(part).not.toMatch(/^[\udc00-\udfff]|[\ud800-\udbff]$/);
      }
      expect(cutText(text).parts).toEqual(parts);
    }),
    { numRuns: 25 },
  );
});

test.each([
  ['as long as a row may be', 'a'.repeat(PART_BYTES), 0],
  ['one byte longer', 'a'.repeat(PART_BYTES + 1), 2],
  ['a pair over the end of the first part', `${'a'.repeat(PART_BYTES - 1)}😀`, 2],
  ['empty', '', 0],
])('%s', (_, text, parts) => {
  const cut = cutText(text);
  expect(cut.parts).toHaveLength(parts);
  expect(cut.text + cut.parts.join('')).toBe(text);
});

test('a part fits into a parameter whatever JSON makes of it', () => {
  for (const character of ['\u0001', '"', '\\', '字', '😀']) {
    const { parts } = cutText(character.repeat(2_000_000));
    for (const json of jsonRows(parts.map((text, part) => ['h'.repeat(64), part, text, parts.length]))) {
      expect(Buffer.byteLength(json)).toBeLessThan(1_900_000);
    }
  }
});

test('rows come back in their order, however they are gathered', () => {
  const row = fc.tuple(fc.string({ maxLength: 20 }), fc.integer(), fc.constantFrom(null, 'x'.repeat(400_000), '字'));
  fc.assert(
    fc.property(fc.array(row, { maxLength: 12 }), (rows) => {
      const gathered = [...jsonRows(rows)];
      expect(gathered.flatMap((json) => JSON.parse(json))).toEqual(rows);
      if (gathered.length > 1) expect(Math.max(...gathered.map((json) => json.length))).toBeLessThan(1_100_000);
    }),
    { numRuns: 30 },
  );
});
