import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findLoneSurrogate } from '../../../src/text/index.ts';

test.each([
  ['', undefined],
  ['plain 😀 text', undefined],
  ['\ud83d', 0],
  ['ok \ude00', 3],
  ['😀\ud83d x', 2],
  ['a\ude00\ud83d', 1],
])('%j', (text, offset) => {
  expect(findLoneSurrogate(text)).toBe(offset);
});

test('finds one exactly where encoding would lose it', () => {
  const lossless = (text: string) => new TextDecoder().decode(new TextEncoder().encode(text)) === text;
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('a', '\ud83d', '\ude00', '😀') }), (text) => {
      expect(findLoneSurrogate(text) === undefined).toBe(lossless(text));
    }),
  );
});
