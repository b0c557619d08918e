import { expect, test } from 'vitest';
import { haystackSchema, loadHaystack } from '../../../src/lab/loaders/haystack.ts';
import { haystack } from './samples.ts';

test('passages of a case are the arguments labelled with its insights, and with no other', () => {
  const { collection, cases, counts } = loadHaystack(haystackSchema.parse(haystack), 'h1');
  const texts = new Map(collection.documents.map(({ id, text }) => [id, text]));
  const told = cases.map(({ passages = [] }) =>
    passages.map(({ document, start, end, insights }) => [texts.get(document)?.slice(start, end), insights]),
  );
  expect(told).toEqual([
    [
      ['Trams are quiet.', ['quiet']],
      ['Trams are cheap.', ['cheap', 'quiet']],
    ],
    [
      ['Trams are cheap.', ['dear']],
      ['Trams are dear.', ['dear']],
    ],
  ]);
  expect(cases.map(({ id, intent }) => [id, intent])).toEqual([
    ['h1/1', 'Trams are good'],
    ['h1/2', 'Trams are bad'],
  ]);
  expect(cases[0].insights?.map(({ id, documents }) => [id, documents])).toEqual([
    ['quiet', ['d1']],
    ['cheap', ['d1']],
    ['green', undefined],
  ]);
  expect(counts).toEqual({ insightsWithoutDocument: 1 });
});
