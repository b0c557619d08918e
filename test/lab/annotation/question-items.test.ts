import { expect, test } from 'vitest';
import { itemsOf } from '../../../src/lab/annotation/items-of.ts';
import { questionItemsOf } from '../../../src/lab/annotation/question-items.ts';
import type { BenchmarkSet } from '../../../src/lab/benchmark-set.ts';
import { SAMPLE_SET } from './sample-set.ts';

const ask = (question: string, document: string) => ({ question, answer: 'In May.', document, position: 0 });
const [TOWN] = SAMPLE_SET.collections;
const [OPENED, NIGHT] = [ask('When did it open?', 'tram'), ask('Is it open at night?', 'park')];
const SET: BenchmarkSet = {
  ...SAMPLE_SET,
  collections: [{ ...TOWN, questions: [OPENED, NIGHT] }],
  cases: SAMPLE_SET.cases.map((each) => ({
    ...each,
    questions: [
      { ...OPENED, relevant: true },
      { ...NIGHT, relevant: false },
    ],
  })),
};

test('every question beside its document, once, and every intent beside what it asks for', () => {
  const items = questionItemsOf(SET);
  expect(items.map(({ kind, statement, fields, document }) => [kind, statement, fields.join(), document.id])).toEqual([
    ['question', 'When did it open? – In May.', 'answerable,correct', 'tram'],
    ['question', 'Is it open at night? – In May.', 'answerable,correct', 'park'],
    ['intent', 'What did the tram change?', 'rating', 'asked'],
  ]);
  expect(items[0].document).toBe(TOWN.documents[0]);
  expect(items[2].document.text).toContain('- When did it open?');
  expect(items[2].document.text).not.toContain('night?');
  expect(items[2].document.text).toContain('The new tram:\nThe tram opened in May.');
  const ids = [...items, ...itemsOf(SET).items].map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
});

test('a set whose cases alone have questions has them too, and one without has none', () => {
  const ofCases = questionItemsOf({ ...SET, collections: [TOWN] });
  expect(ofCases.filter(({ kind }) => kind === 'question').map(({ case: of }) => of)).toEqual([
    ...['asked', 'asked', 'unasked', 'unasked'],
  ]);
  expect(questionItemsOf(SAMPLE_SET).map(({ kind }) => kind)).toEqual(['intent']);
});
