import { describe, expect, test } from 'vitest';
import { loadSet } from '../../../src/lab/loaders/load-set.ts';
import type { Format } from '../../../src/lab/loaders/loaded.ts';
import { diverseSumm, haystack, long2rag, meeting, qmsum, SAMPLES, set, summHay } from './samples.ts';

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
  test.each<[Format, object, (string | number)[], unknown, string]>([
    ['summhay', summHay, ['documents', 1, 'document_id'], 'a', '/documents/1/document_id is a duplicate id'],
    ['summhay', summHay, ['documents', 1, 'idx'], 0, '/documents/1/idx is document 0, as one before it'],
    [
      'summhay',
      summHay,
      ['documents', 2, 'insights_included', 1],
      'i9',
      '/documents/2/insights_included/1 is the id of no insight',
    ],
    ['summhay', summHay, ['documents', 0, 'document_text'], ' ', '/documents/0/document_text holds no text'],
    [
      'summhay',
      summHay,
      ['documents', 0, 'document_text'],
      'a\ud800',
      '/documents/0/document_text holds half of a surrogate pair at offset 1',
    ],
    [
      'summhay',
      summHay,
      ['documents', 0, 'document_text'],
      'a'.repeat(2_000_001),
      '/documents/0/document_text must have at most 2000000 characters',
    ],
    ['summhay', summHay, ['subtopics', 1, 'subtopic_id'], 'fares', '/subtopics/1/subtopic_id is a duplicate id'],
    [
      'summhay',
      summHay,
      ['subtopics', 1, 'insights', 0, 'insight_id'],
      'i1',
      '/subtopics/1/insights/0/insight_id is a duplicate id',
    ],
    ['summhay', summHay, ['subtopics', 0, 'query'], undefined, '/subtopics/0/query is missing'],
    [
      'summhay',
      summHay,
      ['subtopics', 0, 'summaries', 'summary_subtopic_full'],
      'one',
      '/subtopics/0/summaries/summary_subtopic_full must be an array',
    ],
    ['diversesumm', diverseSumm, ['articles', 2, 'aid'], 'a0', '/articles/2/aid is a duplicate id'],
    ['diversesumm', diverseSumm, ['articles'], [{ aid: 'a0' }], '/articles hold no text, none of them'],
    [
      'diversesumm',
      diverseSumm,
      ['question_answers', 0, 'answer_groups', 1, 0, 'aid'],
      'a9',
      '/question_answers/0/answer_groups/1/0/aid is not the id of one of the articles',
    ],
    [
      'qmsum',
      qmsum,
      ['specific_query_list', 0, 'relevant_text_span', 1, 0],
      'one',
      '/specific_query_list/0/relevant_text_span/1/0',
    ],
    ['qmsum', qmsum, ['meeting_transcripts'], [], '/meeting_transcripts must have at least 1 entry'],
    [
      'qmsum',
      qmsum,
      ['meeting_transcripts', 1, 'content'],
      'a'.repeat(2_000_000),
      '/meeting_transcripts come to 2000081 characters',
    ],
    ['long2rag', long2rag, ['documents'], undefined, '/documents are needed; docs or references are read too'],
    [
      'long2rag',
      long2rag,
      ['documents', 1],
      { id: 'd1', text: 'Again.', key_points: ['One.'] },
      '/documents/1 is a duplicate id',
    ],
    ['long2rag', long2rag, ['documents', 1], { title: 'Nothing' }, '/documents/1'],
    ['long2rag', { ...long2rag, documents: ['One.'] }, ['key_points'], [], '/key_points are needed'],
    [
      'haystack',
      haystack,
      ['documents', 1, 'arguments', 0, 'end'],
      16,
      '/documents/1/arguments/0 ends behind its document',
    ],
    [
      'haystack',
      haystack,
      ['documents', 1, 'arguments', 0, 'end'],
      0,
      '/documents/1/arguments/0 ends before it begins',
    ],
    [
      'haystack',
      haystack,
      ['documents', 1, 'arguments', 0, 'keyPoints', 0],
      'new',
      '/documents/1/arguments/0/keyPoints/0 is the id of no insight',
    ],
    ['haystack', haystack, ['queries', 0, 'insights', 1, 'id'], 'quiet', '/queries/0/insights/1/id is a duplicate id'],
    [
      'haystack',
      haystack,
      ['queries', 0, 'insights', 0, 'documents', 0],
      'd9',
      '/queries/0/insights/0/documents/0 is not the id of one of the documents',
    ],
    ['meetings', meeting, ['turns', 2], [23, 35], '/turns/2 ends behind the text'],
    ['meetings', meeting, ['turns', 2], [23, 22], '/turns/2 ends before it begins'],
    [
      'meetings',
      meeting,
      ['queries', 0, 'relevantTurns', 0],
      [1, 3],
      '/queries/0/relevantTurns/0 ends with turn 3, and the last of the meeting is turn 2',
    ],
    ['set', set, ['cases', 0, 'collection'], 'x', '/cases/0/collection is not the id of one of the collections'],
  ])('%s %#', (format, record, path, value, told) => {
    const files = [
      ...(format === 'set' ? [] : SAMPLES[format]),
      { path: 'data/bad.json', text: JSON.stringify(changed(record, path, value)) },
    ];
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
