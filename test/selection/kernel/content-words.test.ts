import fc from 'fast-check';
import { expect, test } from 'vitest';
import { contentStems, contentWords, STOP_WORDS } from '../../../src/selection/index.ts';
import { stemFinder } from '../../../src/selection/kernel/words.ts';

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
