import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  contentStems,
  contentWords,
  STOP_WORDS,
  stemFinder,
  stemmedWords,
  wordOverlap,
  wordSet,
} from '../../src/text/index.ts';
import { furthest } from '../selection/kernel/random.ts';

test('words in order, as they stand and folded', () => {
  expect(stemmedWords('The U.S. Taxes ROSE 12.5%, to taxes: Ｔax')).toEqual(
    [
      ['The', 'the'],
      ['U', 'u'],
      ['S', 's'],
      ['Taxes', 'taxes'],
      ['ROSE', 'rose'],
      ['12', '12'],
      ['5', '5'],
      ['to', 'to'],
      ['taxes', 'taxes'],
      ['Tax', 'tax'],
    ].map(([text, stem]) => ({ text, stem })),
  );
  expect(stemmedWords('charging Charged').map(({ stem }) => stem)).toEqual(['charg', 'charg']);
  expect(stemmedWords('拥堵收费').length).toBeGreaterThan(0);
  for (const none of ['', ' \n', '.,;', '👍']) expect(stemmedWords(none)).toEqual([]);
});

test('stop words are told by the words themselves, whatever is left of them without their endings', () => {
  expect([...contentStems('Regarding the ferry, according to WHOM?')]).toEqual(['ferry']);
  expect(contentWords([...STOP_WORDS].join(' '))).toEqual([]);
  expect(contentWords('The Ferries walked').map(({ text }) => text)).toEqual(['Ferries', 'walked']);
});

test('the finder finds of the stems that are wanted those that a text holds, however often a word comes', () => {
  const word = fc.constantFrom('Ferries', 'ferry', 'the', 'WALKED', 'walks', 'ﬁnes', 'fines', '市议会', 'Über', '2.5');
  const text = fc.array(word, { maxLength: 6 }).map((words) => words.join(' '));
  fc.assert(
    fc.property(fc.array(text, { maxLength: 5 }), text, (texts, asked) => {
      const wanted = [...contentStems(asked)];
      const find = stemFinder(wanted);
      for (const each of texts) {
        const held = contentStems(each);
        expect(find(each)).toEqual(new Set(wanted.filter((stem) => held.has(stem))));
      }
    }),
    { numRuns: 200, seed: 5 },
  );
});

describe('word overlap', () => {
  test('words of any script, folded and without common endings', () => {
    expect(wordSet('Taxing TAXES, taxed!')).toEqual(new Set(['taxing', 'taxes', 'taxed']));
    expect(wordSet('Charges charged charging')).toEqual(new Set(['charg']));
    expect(wordSet('transports transported transporting')).toEqual(new Set(['transport']));
    expect(wordSet(' \n .,;')).toEqual(new Set());
    expect(wordSet('拥堵收费').size).toBeGreaterThan(0);
    expect(wordSet('расходы')).toEqual(new Set(['расходы']));
  });

  test('the share of the query by inverse document frequency', () => {
    const texts = [['a', 'b'], ['a'], ['a', 'c', 'd']].map((words) => new Set(words));
    const idf = (df: number) => Math.log(4 / (df + 1));
    const found = wordOverlap(new Set(['a', 'b', 'z']), texts);
    const total = idf(3) + idf(1) + idf(0);
    expect(furthest(found, [idf(1) / total, 0, 0])).toBeLessThan(1e-12);
  });
});
