import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type DocumentInput, documentsSchema } from '../../src/contract/documents.ts';
import { problemsIn } from '../../src/contract/problems.ts';

const idsOf = (documents: readonly unknown[]) => documentsSchema.parse(documents).map(({ id }) => id);

/** What is wrong with a list of documents, as callers are told. */
function problemsOf(documents: unknown): Record<string, string> {
  const { error } = documentsSchema.safeParse(documents);
  if (error === undefined) throw new Error('nothing is wrong');
  return Object.fromEntries(problemsIn(error, ['documents']).map(({ pointer, detail }) => [pointer, detail]));
}

test('documents without an id are numbered by their place, past the ids that are given', () => {
  expect(idsOf(['a', 'b', { text: 'c' }])).toEqual(['1', '2', '3']);
  expect(idsOf(['a', { id: 'b', text: '' }, 'c'])).toEqual(['1', 'b', '3']);
  expect(idsOf(['a', { id: '1', text: '' }, 'c', { id: '3', text: '' }])).toEqual(['2', '1', '4', '3']);
});

test('a plain string is a document of that text', () => {
  expect(documentsSchema.parse(['a', { title: 't', text: 'b' }])).toEqual([
    { id: '1', text: 'a' },
    { id: '2', title: 't', text: 'b' },
  ]);
});

test('given ids stay, no id comes twice, and nothing else changes', () => {
  const given = fc.uniqueArray(
    fc.oneof(fc.integer({ min: 1, max: 12 }).map(String), fc.string({ minLength: 1, maxLength: 3 })),
  );
  const documents = fc
    .tuple(given, fc.array(fc.constantFrom('text', 'object'), { maxLength: 8 }))
    .chain(([ids, kinds]) => {
      const all: DocumentInput[] = [
        ...ids.map((id) => ({ id, text: `of ${id}` })),
        ...kinds.map((kind, i) => (kind === 'text' ? `text ${i}` : { text: `text ${i}` })),
      ];
      return fc.shuffledSubarray(all, { minLength: Math.min(1, all.length) });
    });
  fc.assert(
    fc.property(documents, (documents) => {
      fc.pre(documents.length > 0);
      const read = documentsSchema.parse(documents);
      expect(new Set(read.map(({ id }) => id)).size).toBe(documents.length);
      read.forEach(({ id, text }, i) => {
        const sent = documents[i];
        if (typeof sent === 'string') expect(text).toBe(sent);
        else expect([sent.id ?? id, sent.text]).toEqual([id, text]);
      });
    }),
  );
});

test('what is wrong with a document is told at its field', () => {
  expect(problemsOf([{ id: 'a', text: '' }, 'x', { id: 'a', text: '' }])).toEqual({
    '/documents/2/id': 'is a duplicate id',
  });
  expect(Object.keys(problemsOf([{ id: 'a', text: 3 }]))).toEqual(['/documents/0/text']);
  expect(Object.keys(problemsOf([{ name: 'a', text: '' }]))).toEqual(['/documents/0/name']);
  expect(problemsOf(['\ud800'])['/documents/0']).toMatch(
    /^(?:holds|contains) half of a surrogate pair at offset 0\b[^,]*(?:,[^,]*)?$/,
  );
  expect(problemsOf(['\ud800'])['/documents/0']).not.toContain('object');
});
