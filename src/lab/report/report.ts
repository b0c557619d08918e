import Papa from 'papaparse';
import { csvLine, unmarked, visible } from '../../client/index.ts';
import { number } from '../../evaluation/index.ts';
import type { Estimate } from '../results/estimate.ts';

export interface Report {
  readonly title: string;
  readonly about: readonly string[];
  readonly sections: readonly Section[];
}

export interface Section {
  readonly title: string;
  readonly parts: readonly (Table | Chart)[];
  readonly sections?: readonly Section[] | undefined;
}

export interface Table {
  readonly kind: 'table';
  readonly title: string;
  readonly heads: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
  /** Columns of names, before those of figures; 1 by default. */
  readonly names?: number | undefined;
}

/** Page only (`charts.ts`); a table repeats its figures. */
export interface Chart {
  readonly kind: 'lines';
  readonly title: string;
  readonly x: string;
  readonly places: readonly string[];
  readonly lines: readonly { readonly name: string; readonly values: readonly (number | null)[] }[];
}

export type Cell =
  | string
  | number
  | {
      readonly estimate: Estimate;
      readonly digits: number;
      /** Expected number of values; `n` is shown if it is smaller. */
      readonly expected?: number | undefined;
    }
  | { readonly p: number | null };

export type Column<Row> = readonly [head: string, cell: (row: Row) => Cell];

export function tableOf<Row>(
  title: string,
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  names?: number,
): Table {
  return {
    kind: 'table',
    title,
    heads: columns.map(([head]) => head),
    rows: rows.map((row) => columns.map(([, cell]) => cell(row))),
    names,
  };
}

/** Fewer units say little: their intervals are too narrow. */
const FEW = 20;
export const FEW_NOTE = `* of fewer than ${FEW} units: it says little, and its interval is too narrow`;

/** Whether a figure rests on few units. */
export function isFew(cell: Cell): boolean {
  return typeof cell === 'object' && 'estimate' in cell && cell.estimate.value !== null && cell.estimate.n < FEW;
}

/** Plain text such as `54.6 [50.1, 59.0] n=32`, `54.6*` of few units; a dash without a value. */
export function cellText(cell: Cell): string {
  if (typeof cell !== 'object') return String(cell);
  if ('p' in cell) return cell.p === null ? '–' : cell.p < 0.001 ? '<0.001' : cell.p.toFixed(3);
  const { estimate, digits, expected = estimate.n } = cell;
  const { value, low, high, n } = estimate;
  if (value === null) return '–';
  const interval = low === null || high === null ? '' : ` [${number(low, digits)}, ${number(high, digits)}]`;
  return `${number(value, digits)}${isFew(cell) ? '*' : ''}${interval}${n === expected ? '' : ` n=${n}`}`;
}

export function printReport({ title, about, sections }: Report): string {
  return visible([[title, ...about].join('\n'), ...sections.flatMap(printSection)].join('\n\n'));
}

function printSection({ title, parts, sections = [] }: Section): string[] {
  const printed = [...tablesOf(parts).map(printTable), ...sections.flatMap(printSection)];
  return printed.length === 0 ? [] : [`== ${title} ==`, ...printed];
}

function tablesOf(parts: Section['parts']): Table[] {
  return parts.flatMap((part) => (part.kind === 'table' ? [part] : []));
}

export function printTable({ title, heads, rows, names }: Omit<Table, 'kind'>): string {
  const cells = rows.map((row) => row.map(cellText));
  const note = rows.flat().some(isFew) ? `\n${FEW_NOTE}` : '';
  return `${title}\n${textTable(heads, cells, names)}${note}`;
}

/** @param names number of left-aligned name columns; the others are right-aligned figures */
export function textTable(heads: readonly string[], rows: readonly (readonly string[])[], names = 1): string {
  const widths = heads.map((_, column) => Math.max(...[heads, ...rows].map((row) => widthOf(row[column]))));
  const line = (row: readonly string[]) => {
    const cells = row.map((cell, column) => {
      const fill = ' '.repeat(widths[column] - widthOf(cell));
      return column < names ? cell + fill : fill + cell;
    });
    return cells.join('   ').trimEnd();
  };
  return visible([heads, ...rows].map(line).join('\n'));
}

function widthOf(text: string): number {
  return [...text].length;
}

const CSV_HEADS = ['section', 'table', 'row', 'column', 'value', 'low', 'high', 'n', 'note'] as const;

/** The tables as CSV (RFC 4180): a line per cell, preceded by the names of its row; figures are unrounded. */
export function reportCsv({ sections }: Report): string {
  const lines = sections.flatMap((section) => sectionLines(section, []));
  return [CSV_HEADS, ...lines].map(csvLine).join('');
}

function sectionLines({ title, parts, sections = [] }: Section, above: readonly string[]): (string | number)[][] {
  const path = [...above, title];
  const own = tablesOf(parts).flatMap(({ title: table, heads, rows, names = 1 }) =>
    rows.flatMap((row) => {
      const name = row.slice(0, names).map(cellText).join(', ');
      return row.slice(names).map((cell, place) => {
        return [path.join(', '), table, name, heads[names + place], ...csvValues(cell)];
      });
    }),
  );
  return [...own, ...sections.flatMap((section) => sectionLines(section, path))];
}

function csvValues(cell: Cell): (string | number)[] {
  if (typeof cell !== 'object') return [cell, '', '', '', ''];
  if ('p' in cell) return [cell.p ?? '', '', '', '', ''];
  const { value, low, high, n } = cell.estimate;
  return [value ?? '', low ?? '', high ?? '', n, isFew(cell) ? `fewer than ${FEW}` : ''];
}

/** Fields of lines of CSV (RFC 4180), without the apostrophes of `csvLine`; divided as the first line is: by commas, semicolons or tabs. */
export function csvLines(text: string): string[][] {
  const delimiter = /[,;\t]/.exec(text)?.[0] ?? ',';
  const { data } = Papa.parse<string[]>(text.replace(/\r\n?/g, '\n'), { delimiter, skipEmptyLines: 'greedy' });
  return data.map((line) => line.map(unmarked));
}
