import fc from 'fast-check';
import { expect, test } from 'vitest';
import { wordSet, wordsOf } from '../../../src/selection/index.ts';

test('words in order, as they stand and folded', () => {
  expect(wordsOf('The U.S. Taxes ROSE 12.5%, to taxes: Ｔax')).toEqual(
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
  expect(wordsOf('charging Charged').map(({ stem }) => stem)).toEqual(['charg', 'charg']);
  expect(wordsOf('拥堵收费').length).toBeGreaterThan(0);
  for (const none of ['', ' \n', '.,;', '👍']) expect(wordsOf(none)).toEqual([]);
});

test('the set of words is that of their stems, and the case of a text does not change it', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'grapheme' }), fc.lorem()), (text) => {
      expect([...wordSet(text)]).toEqual([...new Set(wordsOf(text).map(({ stem }) => stem))]);
    }),
  );
  expect(wordSet('ΟΔΟΣ Straße İzmir')).toEqual(
    new Set([...'ΟΔΟΣ Straße İzmir'.split(' ')].flatMap((each) => [...wordSet(each)])),
  );
  fc.assert(
    fc.property(fc.lorem(), (text) => {
      expect(wordSet(text.toUpperCase())).toEqual(wordSet(text));
    }),
  );
});
