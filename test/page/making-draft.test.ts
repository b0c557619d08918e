import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type DigestInput, TesseraClientError } from '../../src/client/index.ts';
import { digestRequestSchema } from '../../src/contract/index.ts';
import { idFor, pastedDocument, withDocument } from '../../src/page/making/documents.ts';
import { type Draft, NO_READER, requestOf, withNames } from '../../src/page/making/draft.ts';
import { titleOfFile } from '../../src/page/making/read-file.ts';

const DRAFT: Draft = { documents: [{ id: 'a', text: 'Words.' }], intent: '', options: {}, reader: NO_READER };

const EARLIER = `dig_${'0a'.repeat(16)}`;

test.each<[string, Partial<Draft>, DigestInput['intent']]>([
  ['nothing', { intent: ' \n' }, undefined],
  ['a sentence', { intent: ' Why? ' }, 'Why?'],
  ['no half of a character', { intent: '\udc00Why 🚲?' }, 'Why 🚲?'],
  [
    'more of the reader',
    { intent: 'Why?', reader: { ...NO_READER, userStory: 'I plan.', after: '2026-01-01' } },
    { problem: 'Why?', userStory: 'I plan.', publishedAfter: '2026-01-01' },
  ],
  [
    'an earlier digest by its id',
    { intent: 'New?', reader: { ...NO_READER, background: ` ${EARLIER} ` } },
    { problem: 'New?', background: { digest: EARLIER } },
  ],
])('a draft asks %s', (_, part, intent) => {
  const options = { summary: { format: 'bullets' } } as const;
  const request = requestOf({ ...DRAFT, ...part, options });
  expect(request).toEqual({ documents: DRAFT.documents, ...(intent && { intent }), ...options });
  expect(digestRequestSchema.safeParse(request).success).toBe(true);
});

test('a refusal names documents, and what else it concerns as the service does', () => {
  const errors = ['/documents/0/text', '/documents/7/text', '/intent'].map((pointer) => ({
    pointer,
    detail: 'is wrong',
  }));
  const problem = { type: 'about:blank', title: 'Wrong', status: 422, detail: '', errors };
  const named = withNames(new TesseraClientError('Wrong', { status: 422, problem }), DRAFT.documents);
  if (!(named instanceof TesseraClientError)) throw new Error('it is no refusal');
  expect(named.problem?.errors?.map(({ pointer }) => pointer)).toEqual(['“a”/text', '/documents/7/text', '/intent']);
  const other = new Error('other');
  expect(withNames(other, [])).toBe(other);
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

test('an address alone is sent to be fetched, without a title of its own; an address in a text is text', () => {
  const address = pastedDocument(' https://example.org/a?b=1\n');
  expect(address).toEqual({ text: '', url: 'https://example.org/a?b=1' });
  const documents = withDocument(withDocument([], address), pastedDocument('See https://example.org/ for more.'));
  const sent = requestOf({ ...DRAFT, documents }).documents;
  expect(sent).toEqual([
    { id: 'https-example-org-a-b-1', url: 'https://example.org/a?b=1' },
    expect.objectContaining({ text: 'See https://example.org/ for more.' }),
  ]);
  expect(digestRequestSchema.safeParse({ documents: sent }).success).toBe(true);
});
