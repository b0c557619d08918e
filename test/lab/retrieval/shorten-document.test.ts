import { expect, test } from 'vitest';
import type { Retrieval } from '../../../src/lab/retrieval/retrieval.ts';
import { movesPlaces, retrieve, shortenDocument } from '../../../src/lab/retrieval/retrieve.ts';
import { utf8Length } from '../../../src/text/index.ts';
import fc from '../../support/seeded-fast-check.ts';
import { testDeps } from '../../support/test-deps.ts';
import { anyTexts, caseOf, collectionOf } from './samples.ts';

const TEXT = 'A mill stood there. The fox crossed the river. It was a cold day. Nobody saw the dog.';
const document = { id: 'd', text: TEXT };
const asked = { id: 'one', intent: 'What was said of the river and the fox?' };

test('the first tokens are whole sentences from the beginning, within the bytes, and places stay', async () => {
  const deps = testDeps();
  await fc.assert(
    fc.asyncProperty(anyTexts, fc.integer({ min: 1, max: 60 }), async (texts, tokens) => {
      for (const text of texts) {
        const shown = await shortenDocument({ id: 'd', text }, { tokens }, asked, deps);
        expect(text.startsWith(shown.text)).toBe(true);
        expect(utf8Length(shown.text)).toBeLessThanOrEqual(4 * tokens);
      }
    }),
  );
  expect((await shortenDocument(document, { tokens: 12 }, asked, deps)).text).toBe(
    'A mill stood there. The fox crossed the river.',
  );
  expect([{ tokens: 1 }, { snippet: 1 }, { summary: 10 }, undefined].map(movesPlaces)).toEqual([
    false,
    true,
    true,
    false,
  ]);
});

test('a snippet is the stretch of so many words that shares most with the intent', async () => {
  const snippet = async (words: number) =>
    (await shortenDocument(document, { snippet: words }, asked, testDeps())).text;
  expect(await snippet(5)).toBe('The fox crossed the river.');
  expect(await snippet(10)).toBe('The fox crossed the river. It was a cold day.');
  expect(await snippet(1)).toBe('The fox crossed the river.');
  await expect(shortenDocument(document, { snippet: 5 }, { id: 'one' }, testDeps())).rejects.toThrow(/no intent/);
});

test('a summary is made for the intent; a document of which there is none stays, without text', async () => {
  const retrieval: Retrieval = { by: 'full', show: { summary: 10 } };
  const shown = await retrieve(collectionOf([TEXT, ' ']), caseOf(), retrieval, testDeps());
  expect(shown).toEqual([
    { id: 'd0', text: 'The fox crossed the river. It was a cold day.' },
    { id: 'd1', text: '' },
  ]);
});
