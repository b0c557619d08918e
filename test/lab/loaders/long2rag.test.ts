import { expect, test } from 'vitest';
import { loadLong2rag, long2ragSchema } from '../../../src/lab/loaders/long2rag.ts';
import { long2rag } from './samples.ts';

const POINTS = ['Chlorophyll breaks down.', 'Anthocyanin colours leaves.', 'It is cold.', 'It is autumn.'];

test('a question with its documents and the key points of all of them, each once', () => {
  const { collection, cases, counts } = loadLong2rag(long2ragSchema.parse(long2rag), 'file');
  expect(collection).toEqual({
    id: '17',
    documents: [
      { id: 'd1', text: 'Leaves lose their green.' },
      { id: 'd2', title: 'Red', text: 'Anthocyanin is red.' },
    ],
  });
  expect(cases).toEqual([
    {
      id: '17',
      collection: '17',
      intent: 'Why do leaves turn red?',
      domain: 'biology',
      questionKind: 'why',
      keyPoints: POINTS.map((text) => ({ text })),
    },
  ]);
  expect(counts).toEqual({ repeatedKeyPoints: 1 });
});

const doc = { text: 'Anthocyanin is red.' };
test.each([
  { id: '17', type: 'why', docs: [doc], keypoints: POINTS },
  { question_id: '17', category: 'why', references: ['Anthocyanin is red.'], points: POINTS.map((text) => ({ text })) },
  { id: 17, category: '', type: 'why', documents: [{ ...doc, key_points: POINTS }] },
  { question_id: 17, id: 3, category: 'why', documents: [{ content: doc.text, text: 'else' }], key_points: [POINTS] },
])('the same of other names: $0', (record) => {
  const { collection, cases } = loadLong2rag(long2ragSchema.parse({ question: 'Why?', ...record }), 'file');
  expect(collection).toEqual({ id: '17', documents: [{ id: 'd1', text: doc.text }] });
  expect(cases[0]).toMatchObject({ id: '17', questionKind: 'why', keyPoints: POINTS.map((text) => ({ text })) });
});
