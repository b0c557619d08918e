import { expect, test } from 'vitest';
import { benchmarkSetSchema } from '../../../src/lab/benchmark-set.ts';
import { loadSet } from '../../../src/lab/loaders/load-set.ts';
import { FORMATS } from '../../../src/lab/loaders/loaded.ts';
import { SAMPLES } from './samples.ts';

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

test('several sets are one, each with its name before the ids of its collections and cases', () => {
  const [file] = SAMPLES.set;
  const own = loadSet('set', [file]);
  const joined = loadSet('set', [file, { path: 'b.json', text: JSON.stringify({ ...own, name: 'b' }) }]);
  expect(benchmarkSetSchema.parse(JSON.parse(JSON.stringify(joined)))).toEqual(joined);
  expect(joined.name).toBe('own, b');
  const ids = (name: string, of: readonly { readonly id: string }[]) => of.map(({ id }) => `${name}/${id}`);
  expect(joined.collections.map(({ id }) => id)).toEqual([
    ...ids('own', own.collections),
    ...ids('b', own.collections),
  ]);
  expect(joined.cases.map(({ id }) => id)).toEqual([...ids('own', own.cases), ...ids('b', own.cases)]);
  const half = joined.cases.slice(own.cases.length);
  expect(half.map(({ id: _, collection: __, ...each }) => each)).toEqual(
    own.cases.map(({ id: _, collection: __, ...each }) => each),
  );
  expect(joined.made.slice(0, -1)).toEqual([...own.made, ...own.made]);
  expect(joined.made.at(-1)).toMatchObject({ step: 'load', counts: { sets: 2, cases: 2 * own.cases.length } });
  expect(loadSet('set', [file, { path: 'b.json', text: JSON.stringify({ ...own, name: 'b' }) }], 'all').name).toBe(
    'all',
  );
});
