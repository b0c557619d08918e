import { describe, expect, test } from 'vitest';
import {
  endsInQuestion,
  followsEnglishRules,
  hasVerb,
  isFragment,
  isPhatic,
  leaning,
} from '../../../src/text/index.ts';
import { clauses } from '../../../src/text/key-points/clauses.ts';
import { isBoilerplate } from '../../../src/text/key-points/sentence-rules.ts';
import { countContent } from '../../../src/text/words.ts';

test.each([
  ['Taxes rose.', 'none'],
  ['It has failed.', 'pronoun'],
  ['They vote late.', 'pronoun'],
  ['This is why we left.', 'pronoun'],
  ['This policy costs lives.', 'none'],
  ['Those who vote decide.', 'none'],
  ['It is right to help the poor.', 'none'],
  ['However, costs rose.', 'connective'],
  ['“But nobody came.”', 'connective'],
  ['For example, the tram is late.', 'connective'],
  ['Sofia grew.', 'none'],
  ['Android sells well.', 'none'],
])('%j leans: %s', (text, lean) => {
  expect(leaning(text, { english: true, lower: false })).toBe(lean);
});

test.each<[(text: string) => boolean, readonly string[], readonly string[]]>([
  [
    isBoilerplate,
    [
      ...['We use cookies to improve your experience.', 'Click here to learn more.', '© 2024 The Daily.'],
      ...['Copyright 2023 by Acme.', 'By Jane Smith', 'By Jane Smith and Bob Lee', 'Home > News > City'],
      ...['Subscribe to our newsletter.', 'https://example.com/a', 'Published 3 March 2024'],
    ],
    [
      ...['The law on copyright protects authors.', 'By 2030 the city will be free of cars.'],
      'The cookies were baked in an oven.',
      'Published studies show a clear effect on children and on their parents.',
    ],
  ],
  [
    isPhatic,
    [
      ...['OK.', 'Yeah, right.', 'Mm-hmm.', 'Thank you very much for coming, everyone.', 'Good morning, Mr. Chair.'],
      ...['Hi Bob,', 'Thanks!'],
    ],
    [...['Right now the tram is late.', 'No child should work in a mine.'], 'Great Britain left the union in 2020.'],
  ],
  [
    endsInQuestion,
    [
      ...['Why?', 'Why not?"', 'هل هذا صحيح؟', '你好吗？', 'Really?!', 'Is it? )'],
      ...['Πού είναι η γέφυρα;', 'Πού\u037e'],
    ],
    ['Yes.', 'He asked why.', 'The "why?" of it matters more.', 'it says that it was changed;'],
  ],
])('%o tells', (rule, yes, no) => {
  expect([...yes, ...no].filter(rule)).toEqual(yes);
});

describe('English', () => {
  test('told from other languages', () => {
    expect(followsEnglishRules('The cost of the tram is higher than we thought.')).toBe(true);
    expect(followsEnglishRules('Die Kosten der Bahn sind höher als gedacht, und das war in der Zeit.')).toBe(false);
    expect(followsEnglishRules('Le coût du tram est plus élevé que prévu.')).toBe(false);
    expect(followsEnglishRules('')).toBe(false);
  });

  test.each([
    ['Homeschooling robs children of company.', false],
    ['Property rights stifle growth and invention.', false],
    ['A tram with many seats', true],
    ['Lower emissions', true],
    ['Prices rose by five percent', false],
    ['The minister of finance, and mayor', true],
  ])('%s: fragment %s', (text, fragment) => {
    expect(isFragment(text, true)).toBe(fragment);
  });

  test('a verb, and words that carry a topic', () => {
    expect(hasVerb("They're late")).toBe(true);
    expect(hasVerb('the big red tram')).toBe(false);
    expect(countContent('I think that the tram and the trams are a tram')).toBe(2);
  });
});

describe('long sentences', () => {
  const cut = (text: string) =>
    clauses(text, { start: 0, end: text.length }, true).map(({ start, end }) => text.slice(start, end));
  const first =
    'The people who slept eight hours scored much higher on the tests of memory that we gave them in the morning';
  const second =
    'they made far fewer errors in the simulator than the group that had slept for only five hours in each of the two nights before they came to the laboratory';

  test('are cut where a clause with a subject and a verb begins', () => {
    expect(cut(`${first}, and ${second}.`)).toEqual([first, `${second}.`]);
    expect(cut(`${first}; ${second}.`)).toEqual([first, `${second}.`]);
  });

  test('short ones stay whole', () => {
    expect(cut('We came, and they left; it rained.')).toEqual(['We came, and they left; it rained.']);
  });

  test('without any joint are cut at white space, else between code points', () => {
    for (const text of ['word '.repeat(1000).trim(), '😀'.repeat(1000), `a${'😀'.repeat(1000)}`]) {
      const parts = cut(text);
      expect(parts.join('').replaceAll(' ', '')).toBe(text.replaceAll(' ', ''));
      for (const part of parts) expect(part.length).toBeLessThanOrEqual(600);
      for (const part of parts) expect(part).not.toMatch(/\p{Surrogate}/u);
    }
  });
});
