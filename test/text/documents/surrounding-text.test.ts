import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openingOf, sentences, surroundingText } from '../../../src/text/index.ts';

const TEXT =
  'Zero opens. One is first. Two is here. Three follows. Four comes then. Five goes on. Six is more. Seven ends it. Eight is left. Nine is far.';
const at = (quote: string) => ({ start: TEXT.indexOf(quote), end: TEXT.indexOf(quote) + quote.length });

test('six sentences before and two after', () => {
  expect(surroundingText(TEXT, at('Seven ends it.'), sentences(TEXT))).toEqual({
    before: 'One is first. Two is here. Three follows. Four comes then. Five goes on. Six is more. ',
    after: ' Eight is left. Nine is far.',
  });
  expect(surroundingText(TEXT, at('Zero opens.'), sentences(TEXT))).toEqual({
    before: '',
    after: ' One is first. Two is here.',
  });
});

test('words that are cut in a long sentence are left off', () => {
  const text = `${'alpha beta '.repeat(200)}HERE${' gamma delta'.repeat(200)}.`;
  const { before, after } = surroundingText(text, { start: 2200, end: 2204 }, sentences(text));
  expect([before.slice(0, 11), after.slice(-11)]).toEqual(['beta alpha ', 'gamma delta']);
  expect(before.length).toBeGreaterThan(980);
});

test('an opening is whole sentences, as many as are short together', () => {
  expect(openingOf(TEXT, sentences(TEXT))).toBe(TEXT);
  const long = `One is first. ${'Words go on and on '.repeat(40)}.`;
  expect(openingOf(long, sentences(long))).toBe('One is first.');
  const endless = 'Words go on and on '.repeat(40);
  expect(openingOf(endless, sentences(endless))).toBe(endless.slice(0, 480));
  expect(openingOf('', [])).toBe('');
});

test('stands around the quote in the text, and is bounded, wherever it is', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 3000, size: 'max' }), fc.nat(3000), fc.nat(200), (text, from, length) => {
      const start = Math.min(from, text.length);
      const end = Math.min(text.length, start + length);
      const { before, after } = surroundingText(text, { start, end }, sentences(text));
      expect(text.slice(0, start).endsWith(before)).toBe(true);
      expect(text.slice(end).startsWith(after)).toBe(true);
      expect(Math.max(before.length, after.length)).toBeLessThanOrEqual(1000);
      const all = sentences(text);
      const shown = all.filter((each) => each.end > start - before.length && each.start < end + after.length);
      const [earlier, later] = [all.filter((each) => each.end <= start), all.filter((each) => each.start >= end)];
      if (before.length < 900) expect(earlier.slice(-6).every((each) => shown.includes(each))).toBe(true);
      if (after.length < 900) expect(later.slice(0, 2).every((each) => shown.includes(each))).toBe(true);
      expect(shown.length).toBeLessThanOrEqual(all.length - earlier.length - later.length + 8);
    }),
  );
});
