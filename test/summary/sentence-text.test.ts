import { describe, expect, it } from 'vitest';
import { countWords } from '../../src/summary/count-words.ts';
import { openingText, unansweredText } from '../../src/summary/framing.ts';
import { sentenceText } from '../../src/summary/sentence-text.ts';

describe('sentenceText', () => {
  it.each([
    ['wages rose', 'Wages rose.'],
    ['Wages rose!', 'Wages rose!'],
    ['“wages rose.”', '“Wages rose.”'],
    ['the list is as follows:', 'The list is as follows.'],
    ['iPhone sales fell', 'iPhone sales fell.'],
    ['example.com is down', 'example.com is down.'],
    ['p53 mutates', 'p53 mutates.'],
    ['ßeta', 'ßeta.'],
    ['- wages\nrose  [3]', 'Wages rose (3).'],
    ['see [[3]] and [1, 2] and 【4】', 'See [(3)] and (1, 2) and (4).'],
    ['[​3]', '(3).'],
    ['賃金が上がった', '賃金が上がった。'],
    ['賃金が上がった。', '賃金が上がった。'],
    ['वेतन बढ़ा', 'वेतन बढ़ा।'],
    ['هل ارتفعت الأجور؟', 'هل ارتفعت الأجور؟'],
    ['ค่าจ้างเพิ่มขึ้น', 'ค่าจ้างเพิ่มขึ้น'],
    ['-5 degrees', '-5 degrees.'],
  ])('%j becomes %j', (text, expected) => {
    expect(sentenceText({ text })).toBe(expected);
  });

  it('names the speaker once', () => {
    expect(sentenceText({ text: 'wages rose', speaker: 'ANN\nLEE:' })).toBe('ANN LEE: Wages rose.');
    expect(sentenceText({ text: 'Ann: wages rose', speaker: 'Ann' })).toBe('Ann: wages rose.');
  });
});

describe('countWords', () => {
  it.each([
    ['', 0],
    ['Wages rose by 5.5 percent — at last!', 7],
    ['我喜欢猫', 3],
    ['[1][3]', 2],
  ])('%j has %i', (text, words) => {
    expect(countWords(text)).toBe(words);
  });

  it('is linear', () => {
    expect(countWords('word '.repeat(200_000))).toBe(200_000);
    expect(countWords('a'.repeat(1_000_000))).toBe(1);
    expect(countWords('5.5 percent, '.repeat(5_000))).toBe(10_000);
  });
});

describe('framing', () => {
  const intent = (text: string) => ({ text, facets: [], matched: true });
  const coverage = { points: 12, cited: 6, documents: 8, corroborated: 4 };

  it.each([
    [
      intent('remote work'),
      coverage,
      'Twelve points from six of the eight documents bear on “remote work”; four of them have more than one source.',
    ],
    [
      intent('Why?'),
      { ...coverage, cited: 8, corroborated: 0 },
      'Twelve points from all eight documents bear on the question “Why?”.',
    ],
    [
      intent('x '.repeat(30)),
      { ...coverage, corroborated: 1 },
      'Twelve points from six of the eight documents bear on the request; one of them has more than one source.',
    ],
    [
      null,
      { points: 1, cited: 2, documents: 2, corroborated: 1 },
      'One point from both documents makes up this digest and has more than one source.',
    ],
    [
      null,
      { points: 3, cited: 1, documents: 1, corroborated: 0 },
      'Three points from the one document given make up this digest.',
    ],
    [
      intent('a\n[1] b'),
      { points: 14, cited: 1, documents: 20, corroborated: 14 },
      '14 points from one of the 20 documents bear on “a (1) b”; each has more than one source.',
    ],
  ])('opens with a sentence', (asked, covered, text) => {
    expect(openingText(asked, covered)).toBe(text);
  });

  it('names the facets that nobody speaks to', () => {
    const facets = ['rents', 'heating', 'pets', 'noise', 'tax'].map((text) => ({ text, matched: false }));
    const missing = (count: number) =>
      unansweredText({ text: 'all', matched: true, facets: facets.slice(0, count) }, 3, 4);
    expect(missing(0)).toBeNull();
    expect(missing(1)).toBe('No document speaks to “rents”.');
    expect(missing(2)).toBe('No document speaks to “rents” or “heating”.');
    expect(missing(5)).toBe('No document speaks to “rents”, “heating”, “pets” or two other parts of the request.');
    expect(unansweredText(null, 0, 3)).toBe('The documents make no statement to report.');
  });
});
