import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readFile } from '../../../src/text/files/read-file.ts';
import { titleOf, UnreadableFileError } from '../../../src/text/index.ts';
import { docxFile } from '../../support/docx-file.ts';
import { pptxFile, xlsxFile } from '../../support/office-file.ts';
import { pdfOf } from '../../support/pdf-file.ts';

const utf8 = (text: string) => new TextEncoder().encode(text);
const latin = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));
const paragraph = (text: string, style = '') =>
  `<w:p><w:pPr>${style === '' ? '' : `<w:pStyle w:val="${style}"/>`}</w:pPr><w:r><w:t>${text}</w:t></w:r></w:p>`;

const PDF = pdfOf([['Trams run every five min-', 'utes from May.']]);
const DOCX = await docxFile(paragraph('Trams', 'Heading1') + paragraph('Two  lines.'));
const HTML = '<!doctype html><title>\n Gazette &amp; Post</title><p>Fares rose.</p>';

test.each([
  ['a.txt', utf8('Plain words.\r\n'), 'Text', undefined, 'Plain words.\r\n'],
  ['a.md', utf8('# Minutes\r\n\r\nCafé 🚲.\n'), 'Markdown', 'Minutes', '# Minutes\r\n\r\nCafé 🚲.\n'],
  ['README.md', utf8(`${HTML}\n\n- One`), 'Markdown', undefined, `${HTML}\n\n- One`],
  ['a.HTML', utf8(HTML), 'Web page', 'Gazette & Post', 'Fares rose.'],
  ['a.htm', utf8('<p>Only this <i>short</i> note.'), 'Web page', undefined, 'Only this short note.'],
  ['a.pdf', PDF, 'PDF', undefined, 'Trams run every five minutes from May.'],
  ['a.docx', DOCX, 'Word', 'Trams', '# Trams\n\nTwo lines.'],
  // The content tells, if the name does not or is wrong.
  ['', PDF, 'PDF', undefined, 'Trams run every five minutes from May.'],
  ['a.doc', DOCX, 'Word', 'Trams', '# Trams\n\nTwo lines.'],
  ['a.txt', utf8(`\ufeff${HTML}`), 'Web page', 'Gazette & Post', 'Fares rose.'],
  ['x.constructor', utf8('Words.'), 'Text', undefined, 'Words.'],
  // Encodings.
  ['a.txt', utf8('\ufeffé'), 'Text', undefined, 'é'],
  ['', Uint8Array.of(0xff, 0xfe, 0xe9, 0), 'Text', undefined, 'é'],
  ['a.txt', Uint8Array.of(0xfe, 0xff, 0, 0xe9), 'Text', undefined, 'é'],
  ['a.txt', latin('caf\xe9'), 'Text', undefined, 'café'],
  ['a.html', latin('<meta charset="windows-1251"><p>\xc4\xe0'), 'Web page', undefined, 'Да'],
  ['a.html', latin('<meta charset="nonsense"><p>\xe9'), 'Web page', undefined, 'é'],
  ['', latin('c\xe9!'), 'Text', undefined, 'cé!'],
  ['a.csv', latin('Stra\xdfe;\x80\r\na;b'), 'CSV', undefined, '| Straße | € |\n| a | b |'],
  [
    'a.csv',
    utf8('\ufeffcustomer,comment\nAnna,"Crashes, ""often"".\nVery."\r\n,\nBen,Fine'),
    'CSV',
    undefined,
    '| customer | comment |\n| --- | --- |\n| Anna | Crashes, "often". Very. |\n| Ben | Fine |',
  ],
  [
    'a.csv',
    utf8('sep=;\nName;Note;\nAnn;a;b'),
    'CSV',
    undefined,
    '| Name | Note |  |\n| --- | --- | --- |\n| Ann | a | b |',
  ],
  [
    'a.csv',
    utf8('Name,Note\nAnn,"open\nBen,x'),
    'CSV',
    undefined,
    '| Name | Note |\n| --- | --- |\n| Ann | "open |\n| Ben | x |',
  ],
  ['a.tsv', utf8('1\ta|b\n2\t<b>'), 'CSV', undefined, '| 1 | a/b |\n| 2 | <b> |'],
  ['a.xlsx', await xlsxFile({ sheets: { Costs: '<row><c><v>4</v></c></row>' } }), 'Excel', undefined, '## Costs\n\n4'],
  [
    'a.doc',
    await pptxFile([{ shapes: '<p:sp><a:p><a:t>Trams.</a:t></a:p></p:sp>' }]),
    'PowerPoint',
    undefined,
    '## Slide 1\n\nTrams.',
  ],
])('%s is read (%#)', async (name, bytes, kind, title, text) => {
  expect(await readFile(name, bytes)).toEqual({ kind, document: { text, ...(title !== undefined && { title }) } });
});

test.each([
  ['empty.txt', '', 'The file is empty.'],
  ['blank.txt', ' \n', 'No text was found in it.'],
  ['scan.pdf', pdfOf([[]]), 'It holds no text, only pictures of pages: it was perhaps scanned.'],
  ['text.pdf', 'no pdf', 'It is no PDF, or it is damaged.'],
  ['text.docx', 'no zip', 'This is not a valid Word document (.docx).'],
  ['old.DOC', Buffer.from('d0cf11e0a1b11ae1', 'hex'), 'The old Word format (.doc) is not supported. Save it as .docx.'],
  [
    'old.xls',
    Buffer.from('d0cf11e0a1b11ae1', 'hex'),
    'The old Excel format (.xls) is not supported. Save it as .xlsx.',
  ],
  ['sheet.xlsx', 'PK\u0003\u0004xl/workbook.xml\0', 'This is not a valid Excel workbook (.xlsx).'],
  ['slides.odp', 'PK\u0003\u0004content.xml\0', '.odp files are not supported. Use text, Markdown, HTML,'],
  ['rich.txt', '{\\rtf1 Trams.}', '.rtf files are not supported.'],
  ['', Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a), 'Files of this type are not supported.'],
  ['notes.txt', Uint8Array.of(1, 0, 0, 2), 'This is not a text file, despite its name.'],
])('%s is refused in a sentence', async (name, content, told) => {
  const reading = readFile(name, typeof content === 'string' ? utf8(content) : content);
  await expect(reading).rejects.toThrow(UnreadableFileError);
  await expect(reading).rejects.toThrow(told);
});

describe('a web page', () => {
  const read = async (markup: string) => (await readFile('a.html', utf8(markup))).document;

  test('gives its headings, items, terms and rows as in Markdown, without what surrounds the text', async () => {
    const { text } = await read(`<html><head><title>x</title><script>no()</script></head><body><nav><a>Home</a></nav>
      <h2>Trams_now</h2><p>The <b>trams</b>&nbsp;run<br>every hour.<sup><a href="#n">[1]</a></sup></p>
      <ul><li>One<ul><li>Inner</li></ul></li><li>Two</li></ul><dl><dt>Fare</dt><dd>Two euros.</dd></dl>
      <table><caption>Costs</caption><tr><th>Line</th><th>Cost</th></tr><tr><td>North</td><td>4 | 5</td></tr><tr><td>South</td><td>7</td></tr></table>
      <table><tr><th>Town</th><th>People</th></tr><tr><td>Ulm</td><td>6</td></tr></table>
      <table><tr><td>Bern</td><td>9</td></tr><tr><td>Graz</td><td>8</td></tr></table></body></html>`);
    expect(text.split('\n\n')).toEqual([
      '## Trams_now',
      'The trams run every hour.',
      '- One',
      '  - Inner',
      '- Two',
      'Fare: Two euros.',
      'Costs',
      '| Line | Cost |\n| --- | --- |\n| North | 4 / 5 |\n| South | 7 |',
      '| Town | People |\n| --- | --- |\n| Ulm | 6 |',
      '| Bern | 9 |\n| Graz | 8 |',
    ]);
  });

  test.each([
    [
      '<link rel="canonical" href="https://example.org/a"><meta property="article:published_time" content="2025-05-04T10:00Z">',
      { url: 'https://example.org/a', publishedAt: '2025-05-04' },
    ],
    ['<script type="application/ld+json">{"datePublished": "2025-05-04"}</script>', { publishedAt: '2025-05-04' }],
    ['<link rel="canonical" href="/a"><meta property="article:published_time" content="2025-99-04">', {}],
    ['<svg><title>Logo</title></svg>', { title: 'Logo' }],
  ])('says of itself in %s', async (head, facts) => {
    const { text: _, ...told } = await read(`<html><head>${head}</head><body><p>Words.`);
    expect(told).toEqual(facts);
  });

  test('gives some text or a sentence why not, whatever its markup', async () => {
    const tag = fc.constantFrom(
      '<p>',
      '</p>',
      '<table>',
      '<tr>',
      '<td>',
      '</table>',
      '<nav>',
      '<li>',
      '&amp;',
      '<sup><a href="#',
      'words ',
    );
    await fc.assert(
      fc.asyncProperty(fc.array(tag, { maxLength: 30 }), async (tags) => {
        const reading = readFile('a.html', utf8(`<html>${tags.join('')}`));
        await reading.then(
          ({ document }) => expect(document.text.trim()).not.toBe(''),
          (failure) => expect(failure).toBeInstanceOf(UnreadableFileError),
        );
      }),
      { numRuns: 100 },
    );
  });
});

test.each([
  ['reports/2024.md', '# Costs of 2024\n\nThey rose.', 'Costs of 2024'],
  ['reports/2024.md', `# ${'long '.repeat(300)}\n`, '2024.md'],
  ['reports\\a.txt', 'They rose.\n## No title', 'a.txt'],
])('the title of %s', (path, text, title) => {
  expect(titleOf(path, text)).toBe(title);
});

test('a web page of more than four million tags is refused', async () => {
  const file = readFile('a.html', utf8(`${HTML}${'<p>'.repeat(4_000_000)}`));
  await expect(file).rejects.toThrow('It has over four million tags; split it.');
});
