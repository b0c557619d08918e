import { describe, expect, it } from 'vitest';
import { countWords, sentenceText } from '../../src/summary/index.ts';

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
    ['(a) **wages** rose', 'Wages rose.'],
    ['1. The fee stays', 'The fee stays.'],
    ['16.3.1 Our liability is limited', 'Our liability is limited.'],
    ['3.2 GB of memory are enough', '3.2 GB of memory are enough.'],
    ['3.2 million people came', '3.2 million people came.'],
    ['3. März war kalt', '3. März war kalt.'],
    ['(CNN) -- Wages  rose', 'Wages rose.'],
    ['LONDON, March 3 (Reuters) - wages rose', 'Wages rose.'],
    ['Wages (Reuters) rose', 'Wages (Reuters) rose.'],
    ['“Wages rose, he said.', 'Wages rose, he said.'],
    ['He said wages rose."', 'He said wages rose.'],
    ['“Wages” rose and “rents” fell', '“Wages” rose and “rents” fell.'],
    ['The “wages rose.', 'The “wages rose.'],
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
