import { expect, test } from 'vitest';
import type { BenchmarkSet } from '../../../src/lab/benchmark-set.ts';
import { takenIds, withQuestions } from '../../../src/lab/questions/questions-protocol.ts';

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

test('keeps earlier questions of documents that were not read, or gave none now', () => {
  const of = (document: string, position: number, asked = 'Why?') => ({
    ...question,
    question: asked,
    document,
    position,
  });
  const before = [of('x', 0, 'Old?'), of('x', 0, 'Older?'), of('y', 1), of('z', 2)];
  const old: BenchmarkSet = {
    ...set,
    collections: [{ ...collections[0], questions: before }, collections[1]],
    cases: [{ id: 'a', collection: 'a', questions: before }],
  };
  const read = withQuestions(old, new Map([['a', [of('x', 0), of('z', 2, 'New?')]]]));
  const expected = [of('x', 0), of('y', 1), of('z', 2, 'New?')];
  expect([read.collections[0].questions, read.cases[0].questions]).toEqual([expected, expected]);
  expect(withQuestions(old, new Map([['a', []]]))).toEqual(old);
});

test('adds no case to a collection that has no questions', () => {
  expect(withQuestions(set, new Map([['c', []]])).cases).toEqual(set.cases);
});

test('names ids that are needed and taken', () => {
  expect(takenIds(set)).toEqual([]);
  expect(takenIds({ ...set, cases: [{ id: 'b', collection: 'b', intent: 'What?' }] })).toEqual(['b']);
  expect(takenIds({ ...set, cases: [{ id: 'b', collection: 'b' }] })).toEqual([]);
});
