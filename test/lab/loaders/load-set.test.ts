import { describe, expect, test } from 'vitest';
import { benchmarkSetSchema } from '../../../src/lab/benchmark-set.ts';
import { FORMATS, type FormatName, idsOfFiles, loadSet } from '../../../src/lab/loaders/load-set.ts';
import { diverseSumm, haystack, long2rag, meeting, qmsum, SAMPLES, set, summHay } from './samples.ts';

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

test.each([
  [['/x/docs/a.md'], ['a.md']],
  [
    ['/x/docs/a.md', '/x/docs/b.md'],
    ['a.md', 'b.md'],
  ],
  [
    ['/x/docs/a.md', '/x/b/n.md'],
    ['docs/a.md', 'b/n.md'],
  ],
  [
    ['/x/docs/a.md', '/x/docs/more/deep/a.md'],
    ['a.md', 'more/deep/a.md'],
  ],
  [
    ['/a/n.md', '/b/n.md'],
    ['a/n.md', 'b/n.md'],
  ],
  // A name that begins like a folder is no part of its path.
  [
    ['/x/ab/n.md', '/x/a/n.md'],
    ['ab/n.md', 'a/n.md'],
  ],
  [
    ['C:\\x\\docs\\a.md', 'C:\\x\\b\\n.md'],
    ['docs/a.md', 'b/n.md'],
  ],
  [
    ['C:\\a.md', 'D:\\a.md'],
    ['C:/a.md', 'D:/a.md'],
  ],
  [[], []],
])('%j have the ids %j', (paths, ids) => {
  expect(idsOfFiles(paths)).toEqual(ids);
});

/** A copy of a record with one of its values changed. */
function changed(record: object, path: readonly (string | number)[], value: unknown): object {
  const copy = structuredClone(record);
  const [last, ...holders] = [...path].reverse();
  // Paths of the tests below lead to where they say.
  const holder = holders.reduceRight<Record<string, unknown>>(
    (at, key) => at[key] as Record<string, unknown>,
    copy as Record<string, unknown>,
  );
  holder[last] = value;
  return copy;
}

describe('what is wrong is named by file, record and pointer', () => {
  test.each<[FormatName, object, (string | number)[], unknown, string]>([
    [
      'summhay',
      summHay,
      ['documents', 1, 'document_id'],
      'a',
      'would give /collections/0/documents/1/id of a set, which',
    ],
    [
      'summhay',
      summHay,
      ['documents', 2, 'insights_included', 1],
      'i9',
      '/documents/2/insights_included/1 is the id of no',
    ],
    ['summhay', summHay, ['documents', 0, 'document_text'], ' ', '/documents/0/document_text holds no text'],
    ['summhay', summHay, ['documents', 0, 'document_text'], 'a\ud800', '/documents/0/document_text contains half of a'],
    ['summhay', summHay, ['subtopics', 1, 'insights', 0, 'insight_id'], 'i1', '/subtopics give an insight_id twice'],
    ['summhay', summHay, ['subtopics', 0, 'query'], undefined, '/subtopics/0/query is missing'],
    ['diversesumm', diverseSumm, ['articles', 2, 'aid'], 'a0', 'would give /collections/0/documents/1/id of a set'],
    ['diversesumm', diverseSumm, ['articles'], [{ aid: 'a0' }], 'would give /collections/0/documents of a set'],
    ['qmsum', qmsum, ['specific_query_list', 0, 'relevant_text_span', 1, 0], 'one', '/specific_query_list/0/relevant'],
    ['qmsum', qmsum, ['meeting_transcripts'], [], '/meeting_transcripts must have at least 1 entry'],
    ['long2rag', long2rag, ['documents'], undefined, '/documents are needed; docs or references are read too'],
    ['long2rag', long2rag, ['documents', 1], { title: 'Nothing' }, '/documents/1'],
    ['long2rag', { ...long2rag, documents: ['One.'] }, ['key_points'], [], '/key_points are needed'],
    [
      'haystack',
      haystack,
      ['documents', 1, 'arguments', 0, 'end'],
      16,
      'would give /cases/1/passages/1 of a set, which ends',
    ],
    [
      'haystack',
      haystack,
      ['queries', 0, 'insights', 0, 'documents', 0],
      'd9',
      'would give /cases/0/insights/0/documents/0',
    ],
    ['meetings', meeting, ['turns', 2], [23, 35], 'would give /cases/0/passages/0 of a set, which ends behind its'],
    ['set', set, ['cases', 0, 'collection'], 'x', '/cases/0/collection is not the id of one of the collections'],
  ])('%s %#', (format, record, path, value, told) => {
    const files = [{ path: 'data/bad.json', text: JSON.stringify(changed(record, path, value)) }];
    expect(() => loadSet(format, files)).toThrow(`data/bad.json record 0: ${told}`);
  });
});

test('every problem of every file is told, by its line where a file has lines', () => {
  const bad = { ...qmsum, meeting_transcripts: [] };
  const files = [
    { path: 'a.jsonl', text: [qmsum, bad, qmsum, bad].map((each) => JSON.stringify(each)).join('\n') },
    { path: 'b.json', text: JSON.stringify({ ...qmsum, general_query_list: [{}] }) },
    { path: 'c.json', text: JSON.stringify(qmsum, null, 2).slice(0, 500) },
    { path: 'd.json', text: '' },
  ];
  const message = messageOf(() => loadSet('qmsum', files));
  expect(message).toContain('Nothing was loaded, as 5 places are wrong:');
  for (const where of [
    'a.jsonl line 2: /meeting',
    'a.jsonl line 4: /meeting',
    'b.json record 0: /general_query_list/0/query',
  ]) {
    expect(message).toContain(where);
  }
  expect(message).toContain('b.json record 0: /general_query_list/0/answer');
  expect(message.match(/c\.json/g)).toHaveLength(1);
  expect(message).toContain('c.json: is not valid JSON');
  expect(message).toContain('d.json: holds no records');
});

test('what two records both name is told with both of them', () => {
  const [file] = SAMPLES.haystack;
  expect(() => loadSet('haystack', [file, { ...file, path: 'other/h1.json' }])).toThrow(
    'other/h1.json record 0: gives the collection "h1", as stacks/h1.json record 0 does',
  );
  expect(() => loadSet('set', [...SAMPLES.set, ...SAMPLES.set])).toThrow(
    'own.json record 0: /name is the name of own.json record 0 too',
  );
});

test('what no set may hold is told with the record that it came from', () => {
  const long = { ...meeting, id: 'm'.repeat(200) };
  const files = [...SAMPLES.meetings, { path: 'long.json', text: JSON.stringify(long) }];
  expect(loadSet('meetings', files).cases).toHaveLength(6);
  const stem = 's'.repeat(201);
  const far = [...SAMPLES.qmsum, { path: `${stem}.json`, text: JSON.stringify(qmsum) }];
  expect(messageOf(() => loadSet('qmsum', far))).toMatch(
    /s{201}\.json record 0: would give \/collections\/3\/documents\/0\/id/,
  );
});

test('texts of which none says anything, and those that are named twice', () => {
  const [tea, ice] = SAMPLES.documents;
  const blank = [tea, ice].map((file) => ({ ...file, text: ' \n' }));
  const empty = messageOf(() => loadSet('documents', blank));
  expect(empty).toContain('texts/tea.md: /text holds no text');
  expect(empty).toContain('texts/ice.txt: /text holds no text');
  const twice = messageOf(() => loadSet('documents', [tea, blank[1], tea]));
  expect(twice).toContain('texts/tea.md: is named twice');
  expect(twice).not.toContain('ice.txt');
  const absolute = (path: string) => path.replace('./', '');
  const again = { ...tea, path: `./${tea.path}` };
  expect(messageOf(() => loadSet('documents', [tea, ice, again], undefined, { absolute }))).toContain(
    './texts/tea.md: gets the id "tea.md", as texts/tea.md does',
  );
});

function messageOf(load: () => unknown): string {
  try {
    load();
  } catch (error) {
    if (error instanceof Error) return error.message;
  }
  throw new Error('nothing was thrown');
}
