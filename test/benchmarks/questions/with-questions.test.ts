import { expect, test } from 'vitest';
import type { BenchmarkSet } from '../../../src/benchmarks/benchmark-set.ts';
import { takenIds, withQuestions } from '../../../src/benchmarks/questions/with-questions.ts';

const collections = ['a', 'b', 'c'].map((id) => ({ id, documents: [{ id: 'd', text: 'Text.' }] }));
const question = { question: 'Why?', answer: 'so', document: 'd', position: 0 };
const set: BenchmarkSet = {
  name: 's',
  collections,
  cases: [
    { id: 'own', collection: 'a', reference: 'A summary.', questions: [] },
    { id: 'asks', collection: 'b', intent: 'What?', questions: [{ ...question, relevant: true }] },
  ],
  made: [],
};

test('fills the case without an intent where there is one, and adds one where there is none', () => {
  const made = withQuestions(
    set,
    new Map([
      ['a', [question]],
      ['b', [question]],
    ]),
  );
  expect(made.collections.map(({ questions }) => questions?.length)).toEqual([1, 1, undefined]);
  expect(made.cases).toEqual([
    { id: 'own', collection: 'a', reference: 'A summary.', questions: [question] },
    set.cases[1],
    { id: 'b', collection: 'b', questions: [question] },
  ]);
  expect(withQuestions(made, new Map([['b', [question, question]]])).cases[2].questions).toHaveLength(2);
});

test('adds no case to a collection that has no questions', () => {
  expect(withQuestions(set, new Map([['c', []]])).cases).toEqual(set.cases);
});

test('names ids that are needed and taken', () => {
  expect(takenIds(set)).toEqual([]);
  expect(takenIds({ ...set, cases: [{ id: 'b', collection: 'b', intent: 'What?' }] })).toEqual(['b']);
  expect(takenIds({ ...set, cases: [{ id: 'b', collection: 'b' }] })).toEqual([]);
});
