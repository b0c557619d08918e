import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findLoneSurrogate, sentences, utf8Length, windows } from '../../../src/text/index.ts';

const bytesIn = (text: string) => new TextEncoder().encode(text).length;
const cut = (text: string, bytes: number, overlapBytes: number) =>
  windows(text, { bytes, overlapBytes }).map(({ start, end }) => text.slice(start, end));

test('one window where the text fits, none for a blank one', () => {
  expect(windows(' Rents rose. Wages fell.\n', { bytes: 100, overlapBytes: 10 })).toEqual([{ start: 1, end: 24 }]);
  expect(windows('é'.repeat(50), { bytes: 100, overlapBytes: 10 })).toEqual([{ start: 0, end: 50 }]);
  expect(windows('', { bytes: 100, overlapBytes: 10 })).toEqual([]);
  expect(windows(' \n\ufeff\u00a0', { bytes: 4, overlapBytes: 0 })).toEqual([]);
  expect(cut('***', 100, 10)).toEqual(['***']);
});

test('is cut between sentences, and begins with what the one before ends with', () => {
  const text = 'Rents rose a lot. Wages fell a bit. Taxes stayed put. Trams ran late. Buses ran fine.';
  expect(cut(text, 55, 18)).toEqual([
    'Rents rose a lot. Wages fell a bit. Taxes stayed put.',
    'Taxes stayed put. Trams ran late. Buses ran fine.',
  ]);
  expect(cut(text, 55, 0)).toEqual([
    'Rents rose a lot. Wages fell a bit. Taxes stayed put.',
    'Trams ran late. Buses ran fine.',
  ]);
});

test('counts bytes, not characters', () => {
  const text = '今天天气很好。'.repeat(20);
  const found = cut(text, 100, 21);
  expect(found[0]).toBe('今天天气很好。'.repeat(4));
  expect(found.every((window) => bytesIn(window) <= 100 && window.endsWith('。'))).toBe(true);
  expect(windows(text, { bytes: 100, overlapBytes: 21 }).slice(0, 2)).toEqual([
    { start: 0, end: 28 },
    { start: 21, end: 49 },
  ]);
});

test('one giant sentence is cut at white space', () => {
  const words = Array.from({ length: 400 }, (_, n) => `word${n}`);
  const found = cut(words.join(' '), 200, 40);
  expect(found.every((window) => bytesIn(window) <= 200)).toBe(true);
  expect(found.flatMap((window) => window.split(' ')).every((word) => words.includes(word))).toBe(true);
});

test.each([
  [3, 0],
  [100, -1],
  [100, 51],
  [Number.NaN, 0],
])('refuses windows of %d bytes that overlap by %d', (bytes, overlapBytes) => {
  expect(() => windows('Rents rose.', { bytes, overlapBytes })).toThrow(RangeError);
});

test('counts UTF-8 bytes', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(utf8Length(text)).toBe(bytesIn(text));
    }),
  );
});

const seen = (text: string) => text.replace(/[\p{Cc}\p{Cf}\ufff9-\ufffb]/gu, '').trim();

test('whatever the text, windows are in order, fit, overlap a bit and cover all', () => {
  const text = fc
    .array(
      fc.oneof(
        {
          weight: 3,
          arbitrary: fc.constantFrom(
            'Rents rose. ',
            'Wages fell in the old town! ',
            '今天天气很好。',
            '\n\n',
            ' ',
            '- item\n',
            '😀',
          ),
        },
        { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 60 }) },
      ),
      { maxLength: 40 },
    )
    .map((parts) => parts.join(''));
  fc.assert(
    fc.property(
      text,
      fc.integer({ min: 4, max: 120 }),
      fc.double({ min: 0, max: 0.5, noNaN: true }),
      (whole, bytes, share) => {
        const overlapBytes = Math.floor(share * bytes);
        const found = windows(whole, { bytes, overlapBytes });
        let covered = 0;
        for (const { start, end } of found) {
          const slice = whole.slice(start, end);
          expect(slice).toBe(slice.trim());
          expect(bytesIn(slice)).toBeLessThanOrEqual(bytes);
          expect(findLoneSurrogate(slice)).toBeUndefined();
          expect(seen(whole.slice(covered, start))).toBe('');
          expect(end).toBeGreaterThan(covered);
          expect(bytesIn(whole.slice(start, Math.max(start, covered)))).toBeLessThanOrEqual(2 * overlapBytes);
          covered = end;
        }
        expect(seen(whole.slice(covered))).toBe('');
        for (const sentence of sentences(whole)) {
          if (bytesIn(whole.slice(sentence.start, sentence.end)) > bytes) continue;
          // White space and marks before it count with a sentence.
          if (found.some((window) => window.start <= sentence.start && sentence.end <= window.end)) continue;
          expect(found.some((window) => window.end > sentence.start && window.end < sentence.end)).toBe(true);
        }
      },
    ),
    { numRuns: 100 },
  );
});
