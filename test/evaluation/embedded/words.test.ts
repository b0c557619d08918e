import fc from 'fast-check';
import { expect, test } from 'vitest';
import { rarity, weighedWords, wordFinder } from '../../../src/evaluation/embedded/matching.ts';
import { wholePassage } from '../../../src/evaluation/index.ts';

const word = fc.constantFrom(
  'trams',
  'Berlin',
  '12',
  'the',
  'cost',
  'costs',
  '__proto__',
  'constructor',
  'charge',
  '…',
);
const text = fc.array(word, { maxLength: 8 }).map((words) => words.join(' '));

test('numbers and names inside a sentence count twice; words of the language do not count', () => {
  expect(weighedWords('Trams of Berlin cost 12 euros, the mayor said')).toEqual([
    { stem: 'tram', weight: 1 },
    { stem: 'berlin', weight: 2 },
    { stem: 'cost', weight: 1 },
    { stem: '12', weight: 2 },
    { stem: 'euro', weight: 1 },
    { stem: 'mayor', weight: 1 },
  ]);
  expect(weighedWords('Yes. No! The, of')).toEqual([]);
});

test('rarity is log((n + 10) / (df + 1))^2, a text counted once however often it holds a word', () => {
  const rarityOf = rarity([['a', 'a', 'b'], ['a'], ['__proto__']]);
  expect(rarityOf('a')).toBeCloseTo(Math.log(13 / 3) ** 2, 12);
  expect(rarityOf('b')).toBeCloseTo(Math.log(13 / 2) ** 2, 12);
  expect(rarityOf('__proto__')).toBe(rarityOf('b'));
  expect(rarityOf('constructor')).toBeCloseTo(Math.log(13) ** 2, 12);
  expect(rarity([])('a')).toBeCloseTo(Math.log(10) ** 2, 12);
});

test('word recalls by the index are those of a look at every passage', () => {
  fc.assert(
    fc.property(text, fc.array(text, { maxLength: 6 }), (reference, texts) => {
      const rarityOf = rarity([reference, ...texts].map((each) => weighedWords(each).map(({ stem }) => stem)));
      const found = wordFinder(texts.map(wholePassage), weighedWords)(weighedWords(reference), rarityOf);
      const asked = weighedWords(reference);
      const total = asked.reduce((sum, { stem, weight }) => sum + weight * rarityOf(stem), 0);
      texts.forEach((each, place) => {
        const stems = new Set(weighedWords(each).map(({ stem }) => stem));
        const held = asked.filter(({ stem }) => stems.has(stem));
        const sum = held.reduce((some, { stem, weight }) => some + weight * rarityOf(stem), 0);
        expect(found[place]).toBeCloseTo(total === 0 ? 0 : sum / total, 12);
        expect(found[place] >= 0 && found[place] <= 1).toBe(true);
        if (held.length === asked.length && total > 0) expect(found[place]).toBe(1);
      });
    }),
  );
});
