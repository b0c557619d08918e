import { expect, test } from 'vitest';
import { wordsOf } from '../../../src/selection/index.ts';

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
