import { chmodSync, mkdirSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { readDocuments } from '../../src/cli/read-documents.node.ts';
import { LIMITS } from '../../src/contract/index.ts';
import { pdfOf } from '../page/pdf-file.ts';
import { asNobody } from '../support/as-nobody.ts';
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

/** What standard input with these bytes is read as. */
const typed = async (bytes: Uint8Array | string) =>
  (await readDocuments([{ path: '-', isNamed: true }], Readable.from([Buffer.from(bytes)]), expect.unreachable))[0];

test('standard input, and a file whose name says nothing, is what its first bytes say', async () => {
  const pdf = pdfOf([['Trams run every five minutes from May.']]);
  const docx = await docxFile(paragraph('Trams', 'Heading1') + paragraph('Two lines are planned.'));
  const html = '\ufeff<!DOCTYPE html><title>Gazette</title><p>Fares rose.</p>';
  expect(await typed(pdf)).toMatchObject({ title: 'standard input', text: 'Trams run every five minutes from May.' });
  expect(await typed(docx)).toMatchObject({ title: 'Trams', text: '# Trams\n\nTwo lines are planned.' });
  expect(await typed(html)).toMatchObject({ title: 'Gazette' });
  expect(await typed('<HTML><title>Post</title><p>Fares rose.</p>')).toMatchObject({ title: 'Post' });
  expect(await read('plan', pdf)).toMatchObject({ text: 'Trams run every five minutes from May.' });
  expect(await read('plan.tmp', docx)).toMatchObject({ title: 'Trams' });
  expect(await read('page.txt', '<html><title>Post</title><p>Fares rose.</p>')).toMatchObject({ title: 'Post' });
  await expect(typed(pdfOf([[]]))).rejects.toThrow(/^standard input: It holds no text, only pictures of pages/);
  await expect(typed('')).rejects.toThrow(/^standard input: holds no text\.$/);
});

test('what a file holds is another thing than its name says: one line that says so', async () => {
  const pdf = pdfOf([['Trams.']]);
  const docx = await docxFile(paragraph('Trams.'));
  const html = '<!doctype html><p>Please sign in.</p>';
  for (const [name, content, told] of [
    ['a.txt', pdf, 'holds a PDF, whatever its name says; name it .pdf.'],
    ['a.html', pdf, 'holds a PDF, whatever its name says; name it .pdf.'],
    ['a.docx', pdf, 'holds a PDF, whatever its name says; name it .pdf.'],
    ['a.doc', docx, 'holds a Word document, whatever its name says; name it .docx.'],
    ['a.md', docx, 'holds a Word document, whatever its name says; name it .docx.'],
    ['a.pdf', docx, 'holds a Word document, whatever its name says; name it .docx.'],
    ['a.pdf', html, 'holds a web page, whatever its name says; name it .html.'],
    ['a.docx', html, 'holds a web page, whatever its name says; name it .html.'],
  ] as const) {
    await expect(read(name, content)).rejects.toThrow(`${name}: ${told}`);
  }
});

test.each([
  ['ZIP', Buffer.from('PK\u0003\u0004xl/workbook.xml'), /: a ZIP archive, .* is not read/],
  ['old Word', Buffer.from('d0cf11e0a1b11ae1', 'hex'), /: the old Word format is not read; save it as \.docx\.$/],
  ['RTF', '{\\rtf1 Trams.}', /: RTF is not read; save it as \.docx\.$/],
  ['rubbish', Buffer.from([1, 2, 0, 200, 7]), /: binary data, which holds no text to read; leave it out\.$/],
  ['UTF-16', Buffer.from('\ufeffTrams.', 'utf16le'), /: not UTF-8 text; save it as UTF-8\.$/],
])('%s is refused in a sentence, by whatever way it comes', async (_, bytes, told) => {
  await expect(typed(bytes)).rejects.toThrow(told);
  await expect(read('notes.txt', bytes)).rejects.toThrow(told);
});

test('a file over the limit: its size and the limit are told', async () => {
  const most = LIMITS.documentCharacters;
  expect((await read('most.txt', 'a'.repeat(most))).text).toHaveLength(most);
  await expect(read('big.txt', 'a'.repeat(most + 1))).rejects.toThrow(
    /big\.txt: 2,000,001 characters, and a document has at most 2,000,000; split it\.$/,
  );
  const path = join(temporaryFolder(), 'huge.log');
  writeFileSync(path, '');
  truncateSync(path, 5_000_000_000); // takes no room
  await expect(readDocuments([{ path, isNamed: true }], Readable.from([]), expect.unreachable)).rejects.toThrow(
    /huge\.log: 5,000 MB, and a file has at most 100 MB; split it\.$/,
  );
});

test('a file that may not be read is told when it was named, and left out when it was found', async () => {
  const folder = temporaryFolder();
  const [path, good] = ['a.md', 'b.md'].map((name) => join(folder, name));
  for (const each of [path, good]) writeFileSync(each, 'Fares rose.');
  chmodSync(folder, 0o755);
  chmodSync(path, 0);
  const why = `${path}: you may not read it; change its permissions, or leave it out.`;
  const told: string[] = [];
  const reading = (isNamed: boolean) =>
    asNobody(() =>
      readDocuments(
        [
          { path, isNamed },
          { path: good, isNamed: true },
        ],
        Readable.from([]),
        (left) => told.push(left),
      ),
    );
  await expect(reading(true)).rejects.toThrow(why);
  expect((await reading(false)).map(({ id }) => id)).toEqual([good]);
  expect(told).toEqual([why]);
});

test('what the API would not take as a document is left out, too', async () => {
  const [long, good] = [`${'folder/'.repeat(40)}a.md`, 'b.md'].map((name) => join(temporaryFolder(), name));
  mkdirSync(join(long, '..'), { recursive: true });
  for (const each of [long, good]) writeFileSync(each, 'Fares rose.');
  const told: string[] = [];
  const files = [long, good].map((path) => ({ path, isNamed: false }));
  const documents = await readDocuments(files, Readable.from([]), (why) => told.push(why));
  expect(documents.map(({ id }) => id)).toEqual([good]);
  expect(told).toEqual([expect.stringMatching(/a\.md: its path cannot be taken: /)]);
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
