import { expect, test } from 'vitest';
import { rarity, weighedWords } from '../../../src/evaluation/embedded/matching.ts';
import { agreementOfFacts, bearsFacts } from '../../../src/evaluation/embedded/passages.ts';

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

test.each(['', ' ', '.', '. . . ', '<table><table>'])('a text without a sentence denies nothing: %j', (text) => {
  expect(agreementOfFacts('Fares rose.', { text, sentences: [text] })).toBe(1);
  expect(bearsFacts('Fares rose.', { text: 'Fares rose.', sentences: ['Fares rose.'] })).toBe(true);
  expect(bearsFacts(text, { text, sentences: [text] })).toBe(true);
});
