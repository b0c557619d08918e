import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readPptx } from '../../../src/text/files/read-pptx.ts';
import { readXlsx } from '../../../src/text/files/read-xlsx.ts';
import { groupBy, UnreadableFileError } from '../../../src/text/index.ts';
import { officeFile, pptxFile, relations, xlsxFile } from '../../support/office-file.ts';

const row = (...cells: readonly string[]) => `<row>${cells.join('')}</row>`;
const text = (value: string) => `<c t="inlineStr"><is><t>${value}</t></is></c>`;
const number = (value: number | string, style = 0) => `<c s="${style}"><v>${value}</v></c>`;
const lines = async (rows: string, more: Omit<Parameters<typeof xlsxFile>[0], 'sheets'> = {}) =>
  (await readXlsx(await xlsxFile({ sheets: { Costs: rows }, ...more }))).split('\n').slice(2);

describe('a workbook', () => {
  test('gives each sheet under its name, as a table with its title and headers; without empty rows, columns and sheets', async () => {
    const rows = [
      row('<c r="B1" t="s"><v>0</v></c>'),
      row('<c r="B3" t="s"><v>1</v></c>', '<c r="D3" t="s"><v>2</v></c>', '<c r="AA3" t="str"><v>Year</v></c>'),
      row('<c r="B4" t="inlineStr"><is><r><t>Nor</t></r><r><t>th</t></r></is></c>', '<c><f>1+1</f><v>2</v></c>'),
      row('<c r="B5" t="str"><v>South</v></c>', '<c r="D5"><v>7</v></c>', '<c r="AA5"><v>2021</v></c>'),
    ];
    const strings =
      '<si><t>Costs of 2025</t></si><si><r><t>Li</t></r><r><t>ne</t></r><rPh><t>not read</t></rPh></si><si><t>A &amp; &lt;b&gt;</t></si>';
    const file = await xlsxFile({
      sheets: { 'Costs &amp; fares': rows.join(''), Empty: '', Notes: row(text('Late.')) },
      strings,
    });
    expect((await readXlsx(file)).split('\n\n')).toEqual([
      '## Costs & fares',
      'Costs of 2025',
      // The second cell of "North" says no place: it stands beside the first.
      '| Line |  | A & <b> | Year |\n| North | 2 |  |  |\n| South |  | 7 | 2021 |',
      '## Notes',
      'Late.',
    ]);
  });

  const FORMATS = ['0.0%', 'dd\\.mm\\.yyyy', 'hh:mm', '"€"#,##0', '[$£-809]0.00', '[h]:mm', '0 "days"', '[Red]0;yy'];
  const styles = `<numFmts>${FORMATS.map((code, n) => `<numFmt numFmtId="${200 + n}" formatCode="${code.replaceAll('"', '&quot;')}"/>`).join('')}</numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/>${FORMATS.map((_, n) => `<xf numFmtId="${200 + n}"/>`).join('')}<xf numFmtId="14"/><xf numFmtId="22"/></cellXfs>`;

  test.each([
    [number(0.1 + 0.2), '0.3'],
    [number(0.125, 1), '12.5%'],
    [number(45717, 2), '2025-03-01'],
    [number(0.3854166667, 3), '09:15'],
    [number(1200.5, 4), '€1200.5'],
    [number(3, 5), '£3'],
    [number(1.25, 6), '30 h'],
    [number(4, 7), '4'],
    [number(-2, 8), '-2'],
    [number(59, 9), '1900-02-28'],
    [number(61, 9), '1900-03-01'],
    [number(1, 9), '1900-01-01'],
    [number(45717.604166667, 10), '2025-03-01 14:30'],
    [number('1e300', 9), '1e+300'],
    ['<c t="b"><v>1</v></c>', 'TRUE'],
    ['<c t="d"><v>2025-03-01</v></c>', '2025-03-01'],
    ['<c t="e"><v>#DIV/0!</v></c>', ''],
    ['<c t="s"><v>99</v></c>', ''],
  ])('shows %s as %s', async (cell, shown) => {
    expect(await lines(row(text('x'), cell, text('y')), { styles })).toEqual([
      shown === '' ? '| x | y |' : `| x | ${shown} | y |`,
    ]);
  });

  test('counts from 1904 if it says so', async () => {
    const properties = '<workbookPr date1904="1"/>';
    expect(await lines(row(text('x'), number(0, 9)), { styles, properties })).toEqual(['| x | 1904-01-01 |']);
  });

  test('keeps every text in its row and column, wherever the cells stand', async () => {
    const cells = fc.uniqueArray(fc.record({ row: fc.nat(20), column: fc.nat(700) }), {
      minLength: 2,
      maxLength: 30,
      selector: ({ row: y, column }) => `${y} ${column}`,
    });
    const letters = (column: number): string =>
      (column >= 26 ? letters(Math.floor(column / 26) - 1) : '') + String.fromCharCode(65 + (column % 26));
    await fc.assert(
      fc.asyncProperty(cells, async (all) => {
        const marked = [...groupBy(all, (each) => each.row).values()].map((own) =>
          row(
            ...own.map(
              (each) => `<c r="${letters(each.column)}${each.row + 1}" t="str"><v>c${each.row}x${each.column}</v></c>`,
            ),
          ),
        );
        const read = (await readXlsx(await xlsxFile({ sheets: { S: marked.join('') } }))).match(/c\d+x\d+/g);
        expect(read?.toSorted()).toEqual(all.map((each) => `c${each.row}x${each.column}`).sort());
      }),
      { numRuns: 30 },
    );
  });

  test('of more than a million cells is refused, as are empty ones between them', async () => {
    const letter = (n: number) => String.fromCharCode(65 + n);
    const place = (n: number) => `${letter(Math.floor(n / 676))}${letter(Math.floor(n / 26) % 26)}${letter(n % 26)}`;
    const diagonal = Array.from({ length: 1001 }, (_, n) => row(`<c r="${place(n)}${n + 1}"><v>1</v></c>`));
    await expect(lines(diagonal.join(''))).rejects.toThrow('Its sheets have more than a million cells');
  });

  test('one text in very many cells is refused before it is written out', async () => {
    const strings = `<si><t>${'a'.repeat(1_000_000)}</t></si>`;
    const cells = row(...Array<string>(21).fill('<c t="s"><v>0</v></c>'));
    await expect(lines(cells, { strings })).rejects.toThrow('or 20 million characters; split it.');
  });
});

const paragraph = (...runs: readonly string[]) =>
  `<a:p>${runs.map((run) => `<a:r><a:t>${run}</a:t></a:r>`).join('')}</a:p>`;
const shape = (paragraphs: string, placeholder = '') =>
  `<p:sp><p:nvSpPr>${placeholder}</p:nvSpPr><p:txBody>${paragraphs}</p:txBody></p:sp>`;
const TITLE = '<p:ph type="ctrTitle"/>';

test('a presentation gives its slides in their order, with titles, lists, tables and notes, without what each repeats', async () => {
  const table = `<p:graphicFrame><a:tbl>${[
    ['Line', 'Cost', 'Year'],
    ['North', '4', '2024'],
    ['South', '5', ''],
  ]
    .map(
      (cells) => `<a:tr>${cells.map((cell) => `<a:tc><a:txBody>${paragraph(cell)}</a:txBody></a:tc>`).join('')}</a:tr>`,
    )
    .join('')}</a:tbl></p:graphicFrame>`;
  const file = await pptxFile([
    {
      shapes:
        shape(paragraph('Over', 'time &amp; pay'), TITLE) +
        shape(paragraph('It rose.') + paragraph('It fell.'), '<p:ph idx="1"/>') +
        shape(paragraph('7'), '<p:ph type="sldNum"/>'),
      notes: shape(paragraph('1'), '<p:ph type="sldImg"/>') + shape(paragraph('Say more.'), '<p:ph type="body"/>'),
    },
    { shapes: '<p:pic/>' },
    { shapes: `${table}${shape('<a:p><a:r><a:t>One</a:t></a:r><a:br/><a:r><a:t>box.</a:t></a:r></a:p>')}` },
  ]);
  expect((await readPptx(file)).split('\n\n')).toEqual([
    '## Slide 1: Overtime & pay',
    '- It rose.',
    '- It fell.',
    '### Notes',
    'Say more.',
    '## Slide 3',
    '| Line | Cost | Year |\n| --- | --- | --- |\n| North | 4 | 2024 |\n| South | 5 |  |',
    'One box.',
  ]);
});

const LOTS = 'a'.repeat(100_000_001);
const ENTITIES = `<!DOCTYPE x [<!ENTITY a "aaaa">${[...'bcdefghij'].map((name, n) => `<!ENTITY ${name} "${`&${'abcdefghij'[n]};`.repeat(10)}">`).join('')}]>`;

describe.each([
  ['a workbook', readXlsx, 'xl/workbook.xml', 'This is not a valid Excel workbook (.xlsx).'],
  ['a presentation', readPptx, 'ppt/presentation.xml', 'This is not a valid PowerPoint presentation (.pptx).'],
])('%s that is hostile', (_, read, main, invalid) => {
  test.each([
    ['a part that unpacks to more than 100 MB', { 'xl/media.xml': LOTS }, 'It has more than 100 MB'],
    ['a million tags', { 'docProps/core.xml': '<a/>'.repeat(1_000_001) }, 'a million tags'],
    ['tags in tags', { [main]: '<a>'.repeat(900_000) }, invalid],
  ])('is refused for %s', async (_, parts, told) => {
    const started = performance.now();
    const reading = read(await officeFile(parts));
    await expect(reading).rejects.toThrow(UnreadableFileError);
    await expect(reading).rejects.toThrow(told);
    expect(performance.now() - started).toBeLessThan(60_000);
  });

  test('is refused if it is no archive, or cut', async () => {
    const whole = await officeFile({ [main]: '<a/>' });
    for (const bytes of [Buffer.from('no archive'), whole.subarray(0, whole.length - 30)]) {
      await expect(read(bytes)).rejects.toThrow(invalid);
    }
  });
});

test('a part that is named again, and elements within their like, are read once', async () => {
  const nested = (start: string, end: string, middle: string) => start.repeat(200) + middle + end.repeat(200);
  const rows = nested('<row><c t="str"><v>x</v></c>', '</row>', '').repeat(100);
  const sheets = await officeFile({
    'xl/workbook.xml': `<workbook>${'<sheet name="S" r:id="r"/>'.repeat(10_000)}</workbook>`,
    'xl/_rels/workbook.xml.rels': relations({ r: ['worksheet', 's.xml'] }),
    'xl/s.xml': `<sheetData>${rows}</sheetData>`,
  });
  expect((await readXlsx(sheets)).match(/x/g)).toHaveLength(200 * 100);
  const slides = await officeFile({
    'ppt/presentation.xml': `<p>${'<p:sldId r:id="r"/>'.repeat(10_000)}</p>`,
    'ppt/_rels/presentation.xml.rels': relations({ r: ['slide', 's.xml'] }),
    'ppt/s.xml': `<p:sld>${nested('<p:sp>', '</p:sp>', paragraph('x')).repeat(500)}</p:sld>`,
  });
  expect((await readPptx(slides)).match(/x/g)).toHaveLength(500);
});

test('entities that a file declares are not expanded', async () => {
  const file = await officeFile({
    'xl/workbook.xml': '<workbook><sheet name="S" r:id="r"/></workbook>',
    'xl/_rels/workbook.xml.rels': '<a><Relationship Id="r" Type="x/worksheet" Target="s.xml"/></a>',
    'xl/s.xml': `${ENTITIES}<sheetData>${row(text('&j; words'), text('more'))}</sheetData>`,
  });
  expect(await readXlsx(file)).toBe('## S\n\n| &j; words | more |');
});
