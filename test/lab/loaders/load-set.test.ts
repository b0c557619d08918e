import { expect, test } from 'vitest';
import { benchmarkSetSchema } from '../../../src/lab/benchmark-set.ts';
import { FORMATS, type FormatName, loadSet } from '../../../src/lab/loaders/load-set.ts';
import { diverseSumm, haystack, meeting, SAMPLES, set, summHay } from './samples.ts';

test.each(FORMATS)('%s gives a set that holds, and the same one again', (format) => {
  const loaded = loadSet(format, SAMPLES[format]);
  expect(benchmarkSetSchema.parse(JSON.parse(JSON.stringify(loaded)))).toEqual(loaded);
  expect(loadSet(format, SAMPLES[format])).toEqual(loaded);
  const again = loadSet('set', [{ path: 'again.json', text: JSON.stringify(loaded) }]);
  expect(again).toEqual(loaded);
});

test.each([
  ['set', 'own', '1 2'],
  ['documents', 'documents', 'documents'],
  ['summhay', 'topic_trams', 'trams/fares trams/depot'],
  ['diversesumm', 'diverse', 'flood storm'],
  ['haystack', 'h1', 'h1/1 h1/2'],
  ['meetings', 'meetings', 'm1/1 m1/2 m2/1 m2/2 m3/1 m3/2'],
] as const)('%s is named %s, and so are its cases', (format, name, ids) => {
  const loaded = loadSet(format, SAMPLES[format]);
  expect([loaded.name, loaded.cases.map(({ id }) => id).join(' ')]).toEqual([name, ids]);
  expect(loadSet(format, SAMPLES[format], 'mine').name).toBe('mine');
});

test('texts are one collection, with a case for each intent', () => {
  const { collections, cases } = loadSet('documents', SAMPLES.documents, undefined, ['Tea?', 'Ice?']);
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

const [one, two] = summHay.documents;
const [fares] = summHay.subtopics;
const [stack, other] = haystack.documents;
const [good, bad] = haystack.queries;

test.each<[FormatName, object, string]>([
  ['summhay', { documents: [one, { ...two, document_id: 'a' }] }, 'would give /collections/0/documents/1/id of a set,'],
  ['summhay', { documents: [{ ...one, document_text: ' ' }] }, '/documents/0/document_text holds no text'],
  ['summhay', { documents: [{ ...one, document_text: 'a\ud800' }] }, '/documents/0/document_text contains half of a'],
  ['summhay', { subtopics: [{ ...fares, query: undefined }] }, '/subtopics/0/query is missing'],
  [
    'diversesumm',
    { articles: [diverseSumm.articles[0], diverseSumm.articles[0]] },
    'would give /collections/0/documents/1',
  ],
  ['diversesumm', { articles: [{ aid: 'a0' }] }, 'would give /collections/0/documents of a set'],
  [
    'haystack',
    { documents: [stack, { ...other, text: 'Trams' }] },
    'would give /cases/1/passages/1 of a set, which ends',
  ],
  [
    'haystack',
    { queries: [{ ...good, insights: [{ id: 'quiet', text: 'No noise.', documents: ['d9'] }] }, bad] },
    'would give /cases/0/insights/0/documents/0',
  ],
  [
    'meetings',
    {
      turns: [
        [0, 11],
        [12, 22],
        [23, 35],
      ],
    },
    'would give /cases/0/passages/0 of a set, which ends behind',
  ],
  ['set', { cases: [{ id: '1', collection: 'x' }] }, '/cases/0/collection is not the id of one of the collections'],
])('what is wrong is named by file, record and pointer: %s %#', (format, more, told) => {
  const samples = {
    summhay: summHay,
    diversesumm: diverseSumm,
    documents: {},
    haystack,
    meetings: meeting,
    set,
  };
  const files = [{ path: 'data/bad.json', text: JSON.stringify({ ...samples[format], ...more }) }];
  expect(() => loadSet(format, files)).toThrow(`data/bad.json record 0: ${told}`);
});

test('every problem of every file is told, by its line where a file has lines', () => {
  const bad = { ...meeting, turns: [] };
  const files = [
    { path: 'a.jsonl', text: [meeting, bad, meeting, bad].map((each) => JSON.stringify(each)).join('\n') },
    { path: 'b.json', text: JSON.stringify({ ...meeting, queries: [{}] }) },
    { path: 'c.json', text: JSON.stringify(meeting, null, 2).slice(0, 100) },
    { path: 'd.json', text: '' },
  ];
  const message = messageOf(() => loadSet('meetings', files));
  expect(message).toContain('Nothing was loaded, as 5 places are wrong:');
  for (const where of [
    ...['a.jsonl line 2: /turns', 'a.jsonl line 4: /turns', 'b.json record 0: /queries/0/intent'],
    ...['b.json record 0: /queries/0/relevantTurns', 'c.json: is not valid JSON', 'd.json: holds no records'],
  ]) {
    expect(message).toContain(where);
  }
  expect(message.match(/c\.json/g)).toHaveLength(1);
});

test('what two records both name is told with the second', () => {
  const [file] = SAMPLES.haystack;
  expect(() => loadSet('haystack', [file, { ...file, path: 'other/h1.json' }])).toThrow(
    'other/h1.json record 0: would give /collections/1/id of a set, which is a duplicate id',
  );
  expect(() => loadSet('set', [...SAMPLES.set, ...SAMPLES.set])).toThrow('own.json record 0: is one record too many');
});

function messageOf(load: () => unknown): string {
  try {
    load();
  } catch (error) {
    if (error instanceof Error) return error.message;
  }
  throw new Error('nothing was thrown');
}
