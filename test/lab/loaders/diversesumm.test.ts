import { expect, test } from 'vitest';
import { diverseSummSchema, loadDiverseSumm } from '../../../src/lab/loaders/diversesumm.ts';
import { diverseSumm } from './samples.ts';

const loaded = loadDiverseSumm(diverseSummSchema.parse(diverseSumm));

test('articles with text are the documents; what is no title or address is left out', () => {
  expect(loaded.collection).toEqual({
    id: 'flood',
    documents: [
      { id: 'a0', title: 'Flood', url: 'https://news.example/flood', text: 'Three bridges fell.' },
      { id: 'a2', text: 'Four bridges fell, says the mayor.' },
      { id: 'a3', title: 'Water', text: 'The water rose by a metre.' },
    ],
  });
});

test('each article answers a question once, with its first answer, and stands where it stands in the collection', () => {
  expect(loaded.cases[0].questions).toEqual([
    { question: 'How many bridges fell?', answer: 'Three.', document: 'a0', position: 0 },
    { question: 'How many bridges fell?', answer: 'Four.', document: 'a2', position: 1 },
    { question: 'How far did the water rise?', answer: 'By a metre.', document: 'a3', position: 2 },
  ]);
});

test('a nugget has an answer for each group that still has one, and a question without any is none', () => {
  expect(loaded.cases[0].nuggets).toEqual([
    {
      id: 'q1',
      question: 'How many bridges fell?',
      answers: [
        { text: 'Three.', documents: ['a0'] },
        { text: 'Four.', documents: ['a2'] },
      ],
    },
    { id: 'q2', question: 'How far did the water rise?', answers: [{ text: 'By a metre.', documents: ['a3'] }] },
  ]);
});

test('what is left out is counted', () => {
  expect(loaded.counts).toEqual({
    emptyDocuments: 1,
    answersOfEmptyDocuments: 3,
    emptyAnswers: 1,
    questionsWithoutAnswer: 1,
    unusableUrls: 1,
  });
});
