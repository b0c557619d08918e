import { expect, test } from 'vitest';
import { collectionHash, documentsHash } from '../../../src/lab/run/plan-run.ts';
import type { SourceDocument } from '../../../src/text/index.ts';

const DOCUMENTS: readonly SourceDocument[] = [
  { id: 'a', title: 'One', text: 'The fox ran.' },
  { id: 'b', text: 'The fox slept.' },
];
const COLLECTION = { id: 'c', topic: 'foxes', documents: DOCUMENTS };

test('equal documents have one hash, and every difference another', () => {
  const [one, two] = DOCUMENTS;
  const others: readonly SourceDocument[][] = [
    [two, one],
    [one],
    [one, two, two],
    [one, { ...two, title: '' }],
    [one, { ...two, id: 'd' }],
    [one, { ...two, text: 'The fox sleeps.' }],
  ];
  expect(documentsHash([{ text: one.text, title: one.title, id: one.id }, { ...two }])).toBe(documentsHash(DOCUMENTS));
  expect(new Set([DOCUMENTS, ...others].map(documentsHash)).size).toBe(others.length + 1);
  const collections = [COLLECTION, { ...COLLECTION, topic: 'dogs' }, { ...COLLECTION, questions: [] }];
  expect(new Set(collections.map(collectionHash)).size).toBe(3);
  expect(collectionHash({ documents: [...DOCUMENTS], topic: 'foxes', id: 'c' })).toBe(collectionHash(COLLECTION));
});

test('a document is read once, in however many lists and collections it is', () => {
  let reads = 0;
  const counted = {
    id: 'a',
    get text() {
      reads++;
      return 'The fox ran.';
    },
  };
  const [, other] = DOCUMENTS;
  for (const documents of [[counted], [counted, other], [other, counted]]) {
    collectionHash({ id: 'c', documents });
    documentsHash(documents);
  }
  expect(reads).toBe(1);
});
