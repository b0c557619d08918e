import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { digestRequestSchema } from '../../src/contract/index.ts';
import { idFor, pastedDocument } from '../../src/page/making/documents.ts';
import { type Draft, NO_READER, placeOf, requestOf, tooLargeWords, troublesOf } from '../../src/page/making/draft.ts';
import { titleOfFile } from '../../src/page/making/read-file.ts';

const DRAFT: Draft = { documents: [{ id: 'a', text: 'Words.' }], intent: '', options: {}, reader: NO_READER };

describe('a draft', () => {
  test('asks nothing where nothing is asked', () => {
    expect(requestOf({ ...DRAFT, intent: ' \n' })).toEqual({ documents: DRAFT.documents });
  });

  test('asks in a sentence', () => {
    const options = { summary: { format: 'bullets' } } as const;
    expect(requestOf({ ...DRAFT, intent: ' Why? ', options })).toEqual({
      documents: DRAFT.documents,
      intent: 'Why?',
      summary: { format: 'bullets' },
    });
  });

  test('says more of the reader where there is more', () => {
    const reader = { userStory: 'I plan.', background: '', after: '2026-01-01', before: '' };
    const request = requestOf({ ...DRAFT, intent: 'Why?', reader });
    expect(request.intent).toEqual({ problem: 'Why?', userStory: 'I plan.', publishedAfter: '2026-01-01' });
    expect(digestRequestSchema.safeParse(request).success).toBe(true);
  });

  test('names an earlier digest by its id', () => {
    const digest = `dig_${'0a'.repeat(16)}`;
    const request = requestOf({ ...DRAFT, intent: 'New?', reader: { ...NO_READER, background: ` ${digest} ` } });
    expect(request.intent).toEqual({ problem: 'New?', background: { digest } });
  });

  test.each([
    ['no documents', { documents: [] }, { kind: 'documents' }, /at least one/i],
    ['an empty document', { documents: [{ id: 'a', text: ' \n ' }] }, { kind: 'document', index: 0 }, /empty/],
    [
      'half of a character',
      { documents: [{ id: 'a', text: 'one \ud83d two' }] },
      { kind: 'document', index: 0 },
      /after “one”/,
    ],
    [
      'a long title',
      { documents: [{ id: 'a', text: 'x', title: 'y'.repeat(1001) }] },
      { kind: 'document', index: 0 },
      /1,001/,
    ],
    ['half of a character in the question', { intent: '\udc00' }, { kind: 'intent' }, /at its beginning/],
    ['a reader without a question', { reader: { ...NO_READER, userStory: 'I plan.' } }, { kind: 'intent' }, /question/],
    [
      'dates in the wrong order',
      { intent: 'x', reader: { ...NO_READER, after: '2026-02-01', before: '2026-01-01' } },
      { kind: 'reader' },
      /later than the last/,
    ],
  ] as const)('is refused with %s', (_, part, place, message) => {
    const troubles = troublesOf({ ...DRAFT, ...part });
    expect(troubles.map((trouble) => trouble.place)).toEqual([place]);
    expect(troubles[0].message).toMatch(message);
  });

  test('is taken with emoji and combining characters', () => {
    expect(troublesOf({ ...DRAFT, documents: [{ id: 'a', text: '👩‍👩‍👧 e\u0301' }], intent: '🚲?' })).toEqual([]);
  });
});

test('pointers lead to where the mistake can be put right', () => {
  expect(placeOf('/documents/12/text')).toEqual({ kind: 'document', index: 12 });
  expect(placeOf('/documents')).toEqual({ kind: 'documents' });
  expect(placeOf('/intent')).toEqual({ kind: 'intent' });
  expect(placeOf('/intent/problem')).toEqual({ kind: 'intent' });
  expect(placeOf('/intent/background/digest')).toEqual({ kind: 'reader' });
  expect(placeOf('/selection/size/keyPoints')).toEqual({ kind: 'options' });
  expect(placeOf('')).toEqual({ kind: 'other' });
});

test('ids come of names, and are unique', () => {
  expect(idFor('Annual Report (2025)', new Set())).toBe('annual-report-2025');
  expect(idFor('notes', new Set(['notes', 'notes-2']))).toBe('notes-3');
  expect(idFor('日本語 の 文書', new Set())).toBe('日本語-の-文書');
  expect(idFor('???\ud800', new Set())).toBe('document');
  expect([...idFor('é'.repeat(200), new Set())]).toHaveLength(60);
});

test('a file is named after its name without the ending', () => {
  expect(titleOfFile('annual.report.pdf')).toBe('annual.report');
  expect(titleOfFile('.md')).toBe('.md');
  expect(titleOfFile('Notes v1.2 final')).toBe('Notes v1.2 final');
});

test('a pasted text is named after its first line, or its first words', () => {
  const titleFor = (text: string) => pastedDocument(text).title;
  expect(titleFor('# Minutes\n\nThe tram is late.')).toBe('Minutes');
  expect(titleFor('\n  Minutes of May \r\nThe tram is late.')).toBe('Minutes of May');
  expect(titleFor('The tram is late.')).toBe('The tram is late.');
  expect(titleFor('The tram that goes to the harbour is late.')).toBe('The tram that goes to the…');
  expect(titleFor(`${'word '.repeat(40)}\nNext.`)).toBe('word word word word word word…');
  expect(pastedDocument(' a\r\nb ').text).toBe(' a\r\nb ');
  fc.assert(
    fc.property(fc.string({ unit: 'binary', minLength: 1, maxLength: 150 }), (text) => {
      const { title = '' } = pastedDocument(text);
      expect(/\p{Surrogate}/u.test(title)).toBe(false);
      expect(title.length).toBeLessThanOrEqual(101);
    }),
  );
});

test('a body that is too large is explained', () => {
  expect(tooLargeWords('The request body may have at most 33554432 bytes.', 40_000_000)).toBe(
    'This service takes at most 34 MB at once; there are about 40 MB of text. Remove some, or make several digests.',
  );
  expect(tooLargeWords(undefined, 120_000)).toMatch(/^There are about 0\.1 MB/);
});
