import { expect, test } from 'vitest';
import { contentStems, contentWords, STOP_WORDS } from '../../../src/selection/index.ts';

test('stop words are told by the words themselves, whatever is left of them without their endings', () => {
  expect([...contentStems('Regarding the ferry, according to WHOM?')]).toEqual(['ferry']);
  expect(contentWords([...STOP_WORDS].join(' '))).toEqual([]);
  expect(contentWords('The Ferries walked').map(({ text }) => text)).toEqual(['Ferries', 'walked']);
});
