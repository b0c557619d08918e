import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { readDocuments } from '../../src/cli/read-documents.node.ts';
import { pdfOf } from '../page/pdf-file.ts';
import { docxFile } from '../support/docx-file.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** The one document that a file with this content is read as. */
async function read(name: string, content: string | Uint8Array, typed = '') {
  const path = join(temporaryFolder(), name);
  writeFileSync(path, content);
  const [document, ...more] = await readDocuments(
    [{ path, isNamed: true }],
    Readable.from([Buffer.from(typed)]),
    expect.unreachable,
  );
  expect(more).toEqual([]);
  expect(document.id).toBe(path);
  return document;
}

const paragraph = (text: string, style = '') =>
  `<w:p><w:pPr>${style === '' ? '' : `<w:pStyle w:val="${style}"/>`}</w:pPr><w:r><w:t xml:space="preserve">${text}</w:t></w:r></w:p>`;
const row = (...cells: readonly string[]) =>
  `<w:tr>${cells.map((cell) => `<w:tc>${paragraph(cell)}</w:tc>`).join('')}</w:tr>`;

test('text and Markdown are taken as they are; the heading is the title, or the name', async () => {
  const text = '# Minutes\r\n\r\nCafé 🚲.\n';
  expect(await read('a.md', text)).toMatchObject({ text, title: 'Minutes' });
  expect(await read('plain.txt', 'Plain words.')).toMatchObject({ text: 'Plain words.', title: 'plain.txt' });
});

test('HTML is taken as it is, with the title that it gives itself', async () => {
  const text = '<!doctype html><title>\n Gazette &amp; <!-- no -->Post</title><p>Fares rose.</p>';
  expect(await read('a.html', text)).toMatchObject({ text, title: 'Gazette &' });
  expect(await read('b.htm', '<p>Fares rose.</p>')).toMatchObject({ title: 'b.htm' });
});

test('of a PDF the text of its pages', async () => {
  const pdf = pdfOf([['Trams run every five min-', 'utes from May.'], ['The library stays open.']]);
  const { text, title } = await read('plan.pdf', pdf);
  expect(text).toContain('Trams run every five minutes from May.');
  expect(text).toContain('The library stays open.');
  expect(title).toBe('plan.pdf');
});

test('of a Word document its text, with headings and the rows of tables', async () => {
  const table = `<w:tbl>${row('Line', 'Cost')}${row('North | South', '4 million &amp; more')}</w:tbl>`;
  const docx = await docxFile(
    paragraph('Trams', 'Heading1') + paragraph('Two  lines are planned.') + table + paragraph('That is all.'),
  );
  const { text, title } = await read('plan.docx', docx);
  expect(text.split('\n').filter((line) => line !== '')).toEqual([
    '# Trams',
    'Two lines are planned.',
    '| Line | Cost |',
    '| --- | --- |',
    '| North / South | 4 million & more |',
    'That is all.',
  ]);
  expect(title).toBe('Trams');
});

test('standard input is a document', async () => {
  const [document] = await readDocuments(
    [{ path: '-', isNamed: true }],
    Readable.from([Buffer.from('Caf\u00e9 and '), Buffer.from('trams.')]),
    expect.unreachable,
  );
  expect(document).toEqual({ id: '-', title: 'standard input', text: 'Café and trams.' });
});

test.each([
  ['empty.txt', ' \n', /empty\.txt: holds no text\.$/],
  ['latin1.txt', Buffer.from('Gebühr', 'latin1'), /latin1\.txt: not UTF-8 text; save it as UTF-8\.$/],
  ['scan.pdf', pdfOf([[]]), /scan\.pdf: It holds no text, only pictures of pages/],
  ['text.pdf', 'no pdf', /text\.pdf: It is no PDF, or it is damaged\.$/],
  ['text.docx', 'no zip', /text\.docx: no Word document \(\.docx\), or it is damaged\.$/],
  ['old.DOC', 'x', /old\.DOC: the old Word format is not read; save it as \.docx\.$/],
  ['book.epub', 'x', /book\.epub: EPUB is not read/],
])('%s is refused in a sentence', async (name, content, told) => {
  await expect(read(name, content)).rejects.toThrow(told);
});

test('a file that was only found is left out with a word, and the others are read', async () => {
  const folder = temporaryFolder();
  const files = ['empty.md', 'good.md', 'broken.pdf'].map((name) => ({ path: join(folder, name), isNamed: false }));
  for (const { path } of files) writeFileSync(path, path.endsWith('good.md') ? 'Fares rose.' : ' ');
  const told: string[] = [];
  const stdin = Readable.from([]);
  const documents = await readDocuments(files, stdin, (why) => told.push(why));
  expect(documents.map(({ text }) => text)).toEqual(['Fares rose.']);
  expect(told).toEqual([
    expect.stringMatching(/empty\.md: holds no text\.$/),
    expect.stringMatching(/broken\.pdf: It is no PDF/),
  ]);
  await expect(readDocuments([files[0]], stdin, () => {})).rejects.toThrow('None of the files can be read.');
});
