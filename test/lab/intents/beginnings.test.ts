import fc from 'fast-check';
import { expect, test } from 'vitest';
import { beginnings } from '../../../src/lab/intents/collection-intents.ts';
import { utf8Length } from '../../../src/text/index.ts';

const text = (words: number, letter: string) => `${`${letter.repeat(5)} `.repeat(words)}.`;

test('shows documents whole where they fit', () => {
  const shown = beginnings(
    [
      { id: 'a', title: 'On A', text: 'All of A.' },
      { id: 'b', text: 'All of B.' },
    ],
    2000,
  );
  expect(shown).toMatchObject({ cut: 0, notShown: 0 });
  expect(shown.text).toMatch(
    /^<<<BEGIN document 1 \w+>>>\nOn A\n\nAll of A\.\n<<<END[\s\S]*BEGIN document 2 \w+>>>\nAll of B\.\n<<<END/,
  );
});

test('gives the room that short documents leave to the long ones, and the long ones alike', () => {
  const documents = [
    { id: 'a', text: text(2000, 'a') },
    { id: 'b', text: 'Short.' },
    { id: 'c', text: text(1000, 'c') },
  ];
  const { text: shown, cut } = beginnings(documents, 6000);
  const [ofA, ofC] = ['a', 'c'].map((letter) => (shown.match(new RegExp(`${letter}{5}`, 'g')) ?? []).length);
  expect(cut).toBe(2);
  expect(shown).toContain('Short.');
  expect(Math.abs(ofA - ofC)).toBeLessThanOrEqual(1);
  // (6000 - 3 * 100 - 6) / 2 bytes each, of six bytes a word, cut at white space within the last hundred.
  expect(ofA).toBeGreaterThan(455);
  expect(utf8Length(shown)).toBeLessThanOrEqual(6000);
});

test('never takes more room than there is, from any documents', () => {
  const document = fc.tuple(fc.integer({ min: 0, max: 800 }), fc.constantFrom('a', 'é', '文', '😀'));
  fc.assert(
    fc.property(
      fc.array(document, { minLength: 1, maxLength: 40 }),
      fc.integer({ min: 400, max: 20_000 }),
      (all, bytes) => {
        const documents = all.map(([words, letter], n) => ({ id: String(n), text: text(words, letter) }));
        const { text: shown, cut, notShown } = beginnings(documents, bytes);
        expect(utf8Length(shown)).toBeLessThanOrEqual(bytes);
        expect(shown.match(/<<<BEGIN/g)).toHaveLength(documents.length - notShown);
        expect(shown.match(/ \[…\]\n/g)?.length ?? 0).toBe(cut);
        if (notShown > 0) expect(documents.length - notShown).toBe(Math.floor(bytes / 300));
      },
    ),
    { numRuns: 60 },
  );
});
