import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  citationMarkers,
  citedDocuments,
  citedNumbers,
  endsInMarkers,
  escapeMarkers,
  findMarkers,
  MARKERS,
  numberedMarkers,
  OPENING_MARKERS,
} from '../../src/text/index.ts';

const numbers = fc.uniqueArray(fc.integer({ min: 1, max: 9999 }), { minLength: 1, maxLength: 6 });
const ids = fc.uniqueArray(fc.stringMatching(/^[a-z][\w. -]{0,10}\w$/), { minLength: 1, maxLength: 5 });
const NONE = new Set<string>();

test('what is written is read again, by whoever reads', () => {
  fc.assert(
    fc.property(numbers, (cited) => {
      const markers = citationMarkers(cited);
      const text = `Fares rose. ${markers} Trams run late.`;
      expect(citedDocuments(findMarkers(text, NONE))).toEqual(cited.map(String));
      expect(citedNumbers(text)).toEqual(cited);
      expect(text.match(MARKERS)).toEqual([markers]);
      expect(OPENING_MARKERS.test(`${markers} Fares rose.`)).toBe(true);
      expect(endsInMarkers(`Fares rose ${markers}.`)).toBe(true);
      expect(numberedMarkers(text).map(({ start, end }) => text.slice(start, end))).toEqual(
        cited.map((number) => citationMarkers([number])),
      );
    }),
  );
  fc.assert(
    fc.property(ids, (cited) => {
      const text = `Fares rose ${citationMarkers(cited)}.`;
      expect(citedDocuments(findMarkers(text, new Set(cited)))).toEqual(cited);
    }),
  );
});

test('nothing in foreign text that is made safe is read as a marker of numbers, and made safe again it stays', () => {
  const odd = fc.constantFrom(...citationMarkers(['1']), ...'[]［］【】()0123٣,;.–—- a');
  let escaped = 0;
  fc.assert(
    fc.property(fc.array(odd, { maxLength: 14 }), (characters) => {
      const text = characters.join('');
      const safe = escapeMarkers(text);
      expect(findMarkers(safe, NONE)).toEqual([]);
      expect(escapeMarkers(safe)).toBe(safe);
      expect(safe).toHaveLength(text.length);
      if (safe !== text) escaped++;
      if (findMarkers(text, NONE).length === 0 && !/\p{Nd}/u.test(text)) expect(safe).toBe(text);
    }),
    { numRuns: 5000 },
  );
  expect(escaped).toBeGreaterThan(100);
  expect(
    escapeMarkers(`See ${citationMarkers([1, 12])}, [2–4], ［3］, 【٣】, [1—3], [, 4], [sic] and [the plan of 2019].`),
  ).toBe('See (1)(12), (2–4), (3), (٣), (1—3), (, 4), [sic] and [the plan of 2019].');
});

test.each([
  ...['[5b]', '[1a]', '[①]', '[ⅰ]', '[¹]', '[1:2]', '[ 1/2 ]', '[1-999999999]', '[1️⃣]', '[1st]', '[KP 1 and 2a]'],
  ...['[Source: 3]', '[Document 2]', '[key points 1, 2]', '⁅1⁆', '〔1〕', '﹝1﹞', '⟦1⟧', '❲1❳', '［1】', '[१]'],
])('%s looks like a citation', (marker) => {
  expect(escapeMarkers(`It fell ${marker}.`)).toBe(`It fell (${marker.slice(1, -1)}).`);
});

test.each([
  ...[
    '[sic]',
    '[…]',
    '[the plan of 2019]',
    '[T]he fare of 2019',
    '⌊5/2⌋',
    '『1984』',
    '《1984》',
    '(5b)',
    '{1}',
    'a [b',
  ],
])('%s does not', (text) => {
  expect(escapeMarkers(text)).toBe(text);
});
