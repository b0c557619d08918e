import { expect, test } from 'vitest';
import { knownRelevance } from '../../../src/lab/retrieval/score-documents.ts';
import { caseOf } from './samples.ts';

const insights = [
  { id: 'i1', text: 'x', documents: ['a', 'b', 'a'] },
  { id: 'i2', text: 'y', documents: ['a'] },
];
const question = { question: 'q', answer: 'a', position: 0 };
const questions = [
  { ...question, document: 'b', relevant: true },
  { ...question, document: 'b' },
  { ...question, document: 'c', relevant: false },
];
const passages = [
  { document: 'c', start: 10, end: 30 },
  { document: 'c', start: 12, end: 20 },
  { document: 'c', start: 25, end: 40 },
  { document: 'd', start: 0, end: 5 },
];
const nuggets = [
  {
    id: 'n',
    question: 'q',
    answers: [
      { text: 'x', documents: ['e', 'f'] },
      { text: 'y', documents: ['e'] },
    ],
  },
  { id: 'm', question: 'q', answers: [{ text: 'z', documents: ['f'] }, { text: 'w' }] },
  { id: 'o', question: 'q' },
];
const keyPoints = [{ text: 'k', spans: [{ document: 'g', start: 0, end: 1 }] }];

test('what is known first counts', () => {
  const all = { insights, questions, passages, nuggets, keyPoints };
  const amounts = (fields: Partial<typeof all>) => {
    const known = knownRelevance(caseOf(fields));
    return known === null ? null : [known.of, Object.fromEntries(known.amounts)];
  };
  expect(amounts(all)).toEqual(['insights', { a: 2, b: 1 }]);
  const unsourced = { ...all, insights: insights.map(({ id, text }) => ({ id, text, documents: [] })) };
  expect(amounts(unsourced)).toEqual(['questions', { b: 2 }]);
  expect(amounts({ passages, nuggets, keyPoints })).toEqual(['passages', { c: 30, d: 5 }]);
  expect(amounts({ nuggets, keyPoints })).toEqual(['nuggets', { e: 1, f: 2 }]);
  expect(amounts({ keyPoints })).toEqual(['key points', { g: 1 }]);
  expect(amounts({ questions: questions.slice(2), passages })).toEqual(['passages', { c: 30, d: 5 }]);
  expect(amounts({})).toBeNull();
});

test('labelled characters are those that some passage covers', () => {
  const covered = new Set(
    passages
      .filter(({ document }) => document === 'c')
      .flatMap(({ start, end }) => Array.from({ length: end - start }, (_, i) => start + i)),
  );
  expect(knownRelevance(caseOf({ passages: passages.toReversed() }))?.amounts.get('c')).toBe(covered.size);
});
