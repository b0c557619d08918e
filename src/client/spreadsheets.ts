import { visible } from './layout.ts';
import type { Table } from './types.ts';

/** What a text begins with that `spreadsheetText` marked. */
const FORMULA = /^'[=+\-@＝＋－＠]/;

/** A spreadsheet would run a text that begins like a formula; after an apostrophe it shows it. */
function spreadsheetText(value: string | number): string {
  const given = visible(String(value));
  return FORMULA.test(`'${given}`) && !Number.isFinite(Number(given)) ? `'${given}` : given;
}

/** A field without the apostrophe that keeps it from being a formula. */
export function unmarked(field: string): string {
  return field.replace(FORMULA, (marked) => marked.slice(1));
}

/** A line of CSV (RFC 4180). */
export function csvLine(fields: readonly (string | number)[]): string {
  const field = (text: string): string => (/[",;\t\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  return `${fields.map((each) => field(spreadsheetText(each))).join(',')}\r\n`;
}

type TableRows = Pick<Table, 'rows' | 'columns'>;

/** Rows of a table: the document, and for each question the answer, `(?)` before an unsure one, and its quote. */
function rowsOf({ rows, columns }: TableRows): string[][] {
  const heads = columns.flatMap(({ question }) => [question, `Quote: ${question}`]);
  const body = rows.map(({ document, title, cells }) => [
    title?.trim() || document,
    ...cells.flatMap(({ text, sure, quote }) => [text === '' || sure ? text : `(?) ${text}`, quote?.text ?? '']),
  ]);
  return [['Document', ...heads], ...body];
}

export function tableCsv(table: TableRows): string {
  return rowsOf(table).map(csvLine).join('');
}

/** Of a cell, in UTF-16 units; Excel refuses a file with a longer one. */
const MAX_CELL = 32_767;

/** The table as an Excel workbook. The library is loaded when it is needed. */
export async function tableXlsx(table: TableRows): Promise<Blob> {
  const { default: write } = await import('write-excel-file/universal');
  const sheet = rowsOf(table).map((row, index) =>
    row.map((text) => ({
      value: spreadsheetText(text).slice(0, MAX_CELL),
      type: String,
      wrap: true,
      alignVertical: 'top' as const,
      ...(index === 0 && { fontWeight: 'bold' as const }),
    })),
  );
  const columns = sheet[0].map((_, column) => ({ width: column === 0 ? 28 : 40 }));
  return write(sheet, { columns, stickyRowsCount: 1, stickyColumnsCount: 1, sheet: 'Table' }).toBlob();
}
