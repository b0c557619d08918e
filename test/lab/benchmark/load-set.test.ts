import { expect, test } from 'vitest';
import { loadSet } from '../../../src/lab/benchmark/load-set.ts';
import { benchmarkSetSchema } from '../../../src/lab/benchmark-set.ts';
import { FORMATS } from '../../../src/lab/loaders/loaded.ts';
import { SAMPLES } from '../loaders/samples.ts';

test.each(FORMATS)('%s gives a set that holds, and the same one again', (format) => {
  const loaded = loadSet(format, SAMPLES[format]);
  expect(benchmarkSetSchema.parse(JSON.parse(JSON.stringify(loaded)))).toEqual(loaded);
  expect(loadSet(format, SAMPLES[format])).toEqual(loaded);
  const again = loadSet('set', [{ path: 'again.json', text: JSON.stringify(loaded) }]);
  expect(again).toEqual(loaded);
});

test.each([
  ['set', 'own', ['1', '2']],
  ['documents', 'documents', ['documents']],
  ['summhay', 'topic_trams', ['trams/fares', 'trams/depot']],
  ['diversesumm', 'diverse', ['flood', 'storm']],
  [
    'qmsum',
    'qmsum',
    [
      'covid_2/general-1',
      'covid_2/specific-1',
      'test-1/general-1',
      'test-1/specific-1',
      'test-2/general-1',
      'test-2/specific-1',
    ],
  ],
  ['long2rag', 'long2rag', ['17', 'long2rag-2']],
  ['haystack', 'h1', ['h1/1', 'h1/2']],
  ['meetings', 'meetings', ['m1/1', 'm1/2', 'm2/1', 'm2/2']],
] as const)('%s is named %s, and so are its cases', (format, name, ids) => {
  const loaded = loadSet(format, SAMPLES[format]);
  expect(loaded.name).toBe(name);
  expect(loaded.cases.map(({ id }) => id)).toEqual(ids);
  expect(loadSet(format, SAMPLES[format], 'mine').name).toBe('mine');
});

test('texts are one collection, with a case for each intent', () => {
  const { collections, cases } = loadSet('documents', SAMPLES.documents, undefined, { intents: ['Tea?', 'Ice?'] });
  expect(collections).toMatchObject([
    {
      documents: [
        { id: 'tea.md', title: 'On tea' },
        { id: 'ice.txt', title: 'ice.txt' },
      ],
    },
  ]);
  expect(cases.map(({ id, intent }) => [id, intent])).toEqual([
    ['documents/1', 'Tea?'],
    ['documents/2', 'Ice?'],
  ]);
});

test('the first cases bring the collections that they ask, and what was left out of these', () => {
  const { collections, cases, made } = loadSet('diversesumm', SAMPLES.diversesumm, undefined, { limit: 1 });
  expect([collections.map(({ id }) => id), cases.map(({ id }) => id)]).toEqual([['flood'], ['flood']]);
  expect(made).toMatchObject([
    {
      step: 'load',
      options: { format: 'diversesumm', limit: 1 },
      counts: { documents: 3, cases: 1, emptyDocuments: 1 },
    },
  ]);
  const whole = loadSet('diversesumm', SAMPLES.diversesumm);
  expect(whole.made[0].counts).toMatchObject({ documents: 6, cases: 2, emptyDocuments: 2 });
  expect(loadSet('set', SAMPLES.set, undefined, { limit: 1 }).cases.map(({ id }) => id)).toEqual(['1']);
});
