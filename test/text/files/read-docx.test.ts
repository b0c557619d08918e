import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readDocx, wordText } from '../../../src/text/files/read-docx.ts';
import { docxFile } from '../../support/docx-file.ts';

const paragraph = (text: string, run = '') =>
  `<w:p><w:r><w:rPr>${run}</w:rPr><w:t xml:space="preserve">${text}</w:t></w:r></w:p>`;
const cell = (text: string, properties = '', run = '') =>
  `<w:tc><w:tcPr>${properties}</w:tcPr>${paragraph(text, run)}</w:tc>`;
const row = (...cells: readonly string[]) =>
  `<w:tr>${cells.map((each) => (each.startsWith('<') ? each : cell(each))).join('')}</w:tr>`;
const table = (...rows: readonly string[]) => `<w:tbl>${rows.join('')}</w:tbl>`;
const COSTS = row('Line', 'Cost');
const YEARS = row('Line', 'Cost', 'Year');

/** The lines that a Word document with this body is read as, parts by an empty one. */
const read = async (...body: readonly string[]) => (await readDocx(await docxFile(body.join('')))).split('\n');

test.each([
  [
    'two tables in a row are two',
    [table(COSTS, row('North', '4')), '<w:p/>', table(row('Town', 'People'), row('Bern', '9'))],
    ['| Line | Cost |', '| --- | --- |', '| North | 4 |', '', '| Town | People |', '| --- | --- |', '| Bern | 9 |'],
  ],
  [
    'a header that is marked names the columns',
    [table(`<w:tr><w:trPr><w:tblHeader/></w:trPr>${cell('Line')}${cell('Status')}</w:tr>`, row('North', 'late'))],
    ['| Line | Status |', '| --- | --- |', '| North | late |'],
  ],
  [
    'rows of a header are put together',
    [
      table(
        `<w:tr><w:trPr><w:tblHeader/></w:trPr>${cell('Line', '<w:vMerge w:val="restart"/>')}${cell('Cost', '<w:gridSpan w:val="2"/>')}</w:tr>`,
        `<w:tr><w:trPr><w:tblHeader/></w:trPr>${cell('', '<w:vMerge/>')}${cell('2023')}${cell('2024')}</w:tr>`,
        row('North', '4', '5'),
      ),
    ],
    ['| Line | Cost 2023 | Cost 2024 |', '| --- | --- | --- |', '| North | 4 | 5 |'],
  ],
  [
    'what spans columns leaves the others in their places',
    [table(YEARS, row(cell('North', '<w:gridSpan w:val="2"/>'), '2020'))],
    ['| Line | Cost | Year |', '| --- | --- | --- |', '| North |  | 2020 |'],
  ],
  [
    'what spans rows stands in each',
    [
      table(
        YEARS,
        row(cell('North', '<w:vMerge w:val="restart"/>'), '4', '2020'),
        row(cell('', '<w:vMerge/>'), '5', '2021'),
      ),
    ],
    ['| Line | Cost | Year |', '| --- | --- | --- |', '| North | 4 | 2020 |', '| North | 5 | 2021 |'],
  ],
  [
    'a table in a cell comes behind the one around it',
    [
      table(
        YEARS,
        row(
          'North',
          `<w:tc>${paragraph('see')}${table(row('Rails', '1'), row('Wires', '2'))}${paragraph('below')}</w:tc>`,
          '2020',
        ),
        row('South', '7', '2021'),
      ),
      paragraph('That is all.'),
    ],
    [
      ...['| Line | Cost | Year |', '| --- | --- | --- |', '| North | see below | 2020 |', '| South | 7 | 2021 |', ''],
      ...['| Rails | 1 |', '| Wires | 2 |', '', 'That is all.'],
    ],
  ],
  [
    'without a header the first row is one of the rows',
    [table(row('Budget', '4 million'), row('Lines', '12'))],
    ['| Budget | 4 million |', '| Lines | 12 |'],
  ],
  [
    'a line over the whole table is its title',
    [table(row(cell('Costs by line', '<w:gridSpan w:val="3"/>')), YEARS, row('North', '4', '2020'))],
    ['Costs by line', '', '| Line | Cost | Year |', '| --- | --- | --- |', '| North | 4 | 2020 |'],
  ],
  ['a table of one column is text', [table(row('A box.'), row('More.'))], ['A box.', '', 'More.']],
  [
    'prose in a cell is prose, and the rows around it keep their header',
    [
      table(
        YEARS,
        row('North', '4', '2020'),
        row('South', 'It is late. '.repeat(20), '2021'),
        row('West', '5', '2022'),
      ),
    ],
    [
      ...['| Line | Cost | Year |', '| --- | --- | --- |', '| North | 4 | 2020 |', ''],
      ...['South', '', 'It is late. '.repeat(20).trim(), '', '2021', ''],
      ...['| Line | Cost | Year |', '| --- | --- | --- |', '| West | 5 | 2022 |'],
    ],
  ],
  ['what looks like markup stays text', [paragraph('&lt;table&gt; is a tag.')], ['<table> is a tag.']],
])('%s', async (_, body, expected) => {
  expect(await read(...body)).toEqual(expected);
});

/** A table laid out on a grid by drawing, cell for cell, each at the first place that is free; null where two overlap, as none do in Word. */
function drawn(rows: readonly (readonly { columns: number; rows: number }[])[]): string[][] | null {
  let isOverlapping = false;
  const grid: string[][] = rows.map(() => []);
  rows.forEach((cells, y) => {
    cells.forEach((each, n) => {
      let x = 0;
      while (grid[y][x] !== undefined) x++;
      for (let down = 0; down < each.rows && y + down < rows.length; down++) {
        for (let right = 0; right < each.columns; right++) {
          isOverlapping ||= grid[y + down][x + right] !== undefined;
          grid[y + down][x + right] = right === 0 ? `c${y}x${n}` : '';
        }
      }
    });
  });
  if (isOverlapping) return null;
  const width = Math.max(...grid.map(({ length }) => length));
  return grid.map((line) => Array.from({ length: width }, (_, x) => line[x] ?? ''));
}

test('every cell stands in the rows and the column that it takes up', () => {
  const span = fc.record({ columns: fc.integer({ min: 1, max: 3 }), rows: fc.integer({ min: 1, max: 3 }) });
  const rows = fc.array(fc.array(span, { minLength: 2, maxLength: 4 }), { minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(rows, (all) => {
      const grid = drawn(all);
      fc.pre(grid !== null);
      const markup = all.map(
        (cells, y) =>
          `<tr>${cells.map((each, n) => `<td colspan="${each.columns}" rowspan="${each.rows}"><p>c${y}x${n}</p></td>`).join('')}</tr>`,
      );
      const lines = wordText(`<table>${markup.join('')}</table>`)
        .split('\n')
        .filter((line) => !line.includes('---'));
      expect(lines).toEqual(grid.map((texts) => `| ${texts.join(' | ')} |`));
    }),
  );
});

/** The archive with another size of its last part, unpacked, in the directory. */
function lying(file: Buffer): Buffer {
  file.writeUInt32LE(10, file.lastIndexOf('PK\u0001\u0002') + 24);
  return file;
}

const PLENTY = 'a'.repeat(100_000_001);

test.each([
  ['bytes', () => docxFile(PLENTY)],
  ['bytes that its directory does not tell', async () => lying(await docxFile(PLENTY))],
  ['tags', () => docxFile('<w:p/>'.repeat(1_000_001))],
  ['parts', async () => Buffer.concat([await docxFile(''), Buffer.alloc(80_004, 'PK\u0001\u0002')])],
])('a document of too many %s is refused before it is read', async (_, file) => {
  const problem = 'It has more than 100 MB, a million tags or 20,000 parts, unpacked; split it.';
  await expect(readDocx(await file())).rejects.toThrow(problem);
});

test('pictures are not counted: nobody unpacks them', async () => {
  const picture = { 'word/media/picture.bmp': ' '.repeat(110_000_000) };
  expect(await readDocx(await docxFile(paragraph('Trams.'), picture))).toBe('Trams.');
});
