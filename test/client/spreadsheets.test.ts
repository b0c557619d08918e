import fc from 'fast-check';
import JSZip from 'jszip';
import { expect, test } from 'vitest';
import { csvLine, type Table, tableCsv, tableXlsx } from '../../src/client/index.ts';
import { TABLE } from '../../src/contract/index.ts';
import { csvLines } from '../../src/lab/index.ts';

const EVIL = ['=HYPERLINK("https://evil.example")', '+1+cmd', '-2+3', '@SUM(A1)', '＝1', '\u202e=1'];

function tableWith(texts: readonly string[]): Table {
  const [row] = TABLE.rows;
  const cell = (text: string) => ({ ...row.cells[0], text, quote: { text, start: 0, end: text.length } });
  return {
    ...TABLE,
    rows: texts.map((text) => ({ document: text, cells: [cell(text)] })),
    columns: [{ question: '=1+1', answered: texts.length, of: texts.length }],
  };
}

async function stringsOf(table: Table): Promise<{ readonly strings: string[]; readonly sheet: string }> {
  const files = await JSZip.loadAsync(await (await tableXlsx(table)).arrayBuffer());
  const read = async (name: string) => (await files.file(name)?.async('string')) ?? '';
  const shared = await read('xl/sharedStrings.xml');
  const plain = (text: string) =>
    text.replace(
      /&(lt|gt|quot|apos|#39|amp);/g,
      (_, name: string) => ({ lt: '<', gt: '>', quot: '"', amp: '&' })[name] ?? "'",
    );
  const strings = [...shared.matchAll(/<t[^>]*>([\s\S]*?)<\/t>/g)].map(([, text]) => plain(text));
  return { strings, sheet: await read('xl/worksheets/sheet1.xml') };
}

test('CSV gives back what it was given', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: fc.constantFrom(...'a"=,;+-@ 1\n') }), { minLength: 1 }), (texts) => {
      const fields = ['id', ...texts];
      expect(csvLines(csvLine(fields))).toEqual([fields]);
    }),
  );
});

test('a row has its document, and the answer and the quote of each question', () => {
  const [heads, council] = csvLines(tableCsv(TABLE));
  expect(heads).toEqual(['Document', ...TABLE.columns.flatMap(({ question }) => [question, `Quote: ${question}`])]);
  const said = TABLE.rows[0].cells.flatMap(({ text, quote }) => [text, quote?.text]);
  expect(council).toEqual([TABLE.rows[0].title, ...said]);
});

test('no field is a formula, in CSV or in Excel', async () => {
  const table = tableWith(EVIL);
  for (const [, field] of tableCsv(table).matchAll(/(?:^|,)"?([^",\r\n]+)/gm)) expect(field).not.toMatch(/^[=+\-@＝]/);
  const { strings, sheet } = await stringsOf(table);
  expect(sheet).not.toContain('<f>');
  expect(strings.length).toBeGreaterThan(EVIL.length);
  for (const text of strings) expect(text).not.toMatch(/^[=+\-@＝]/);
});

test('an Excel file holds every text, cut where Excel would refuse it', async () => {
  const { strings } = await stringsOf(TABLE);
  for (const { cells } of TABLE.rows)
    for (const { text } of cells.filter(({ answered }) => answered)) expect(strings).toContain(text);
  const long = await stringsOf(tableWith(['x'.repeat(40_000)]));
  expect(Math.max(...long.strings.map((text) => text.length))).toBe(32_767);
});
