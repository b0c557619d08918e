import { trimSpan, WORDY } from './characters.ts';
import type { Span } from './document.ts';
import type { MarkedLine } from './marked-lines.ts';

/** A longer line, or one of more cells, is no row that a reader takes in at once. */
const LONGEST = 600;
const MOST_CELLS = 40;
/** Characters of a cell of a table that has no outer bars, so that prose with a bar or two in it is none. */
const LONGEST_CELL = 90;

const SEPARATOR = /^[|\s:+=-]*-[|\s:+=-]*$/;

/** How cells may be told apart, the surest first; `least` cells and `run` lines make a table. */
const DIVIDERS: readonly { mark: RegExp; least: number; run: number }[] = [
  { mark: /\|/g, least: 2, run: 2 },
  { mark: /\t+/g, least: 2, run: 2 },
  { mark: /(?<![.!?:]) {2,}/g, least: 3, run: 2 },
  { mark: /,(?=\S)|;(?=\S)/g, least: 3, run: 3 },
];

/**
 * Marks the rows of tables among lines: with bars, tabs, wide gaps or commas, the same number of cells in each. The
 * header and what separates it go; a row knows the header of each cell.
 */
export function markTables(text: string, marked: readonly MarkedLine[]): MarkedLine[] {
  const found: MarkedLine[] = [];
  for (let n = 0; n < marked.length; ) {
    const table = tableAt(text, marked, n);
    if (table) for (const row of rowsOf(text, marked.slice(n, n + table.length), table)) found.push(row);
    else if (marked[n]) found.push(marked[n]);
    n += table?.length ?? 1;
  }
  return found;
}

interface Table {
  readonly length: number;
  readonly cells: readonly (readonly Span[])[];
}

function tableAt(text: string, marked: readonly MarkedLine[], from: number): Table | undefined {
  const first = marked[from];
  if (!first || (first.kind !== 'plain' && first.kind !== 'table')) return undefined;
  for (const { mark, least, run } of DIVIDERS) {
    const barred = first.kind === 'table';
    const opening = cellsOf(text, first, mark, barred);
    if (opening.length < (barred ? 1 : least)) continue;
    const cells = [opening];
    for (let n = from + 1; n < marked.length; n++) {
      const line = marked[n];
      if (!line || line.afterGap || !continues(text, line, barred)) break;
      const own = cellsOf(text, line, mark, barred);
      if (!barred && own.length !== opening.length && !isSeparator(text, line)) break;
      cells.push(own);
    }
    if (barred || cells.length >= run) return { length: cells.length, cells };
  }
  return undefined;
}

function continues(text: string, line: MarkedLine, barred: boolean): boolean {
  return barred ? line.kind === 'table' : line.kind === 'plain' || line.kind === 'rule' || isSeparator(text, line);
}

function isSeparator(text: string, { content, end }: MarkedLine): boolean {
  return end - content <= LONGEST && SEPARATOR.test(text.slice(content, end));
}

/** The cells of a line; none where it cannot be a row. */
function cellsOf(text: string, { content, end }: MarkedLine, mark: RegExp, barred: boolean): Span[] {
  if (end - content > LONGEST) return [];
  const line = text.slice(content, end);
  const cuts = [...line.matchAll(mark)];
  if (cuts.length === 0 || cuts.length > MOST_CELLS) return [];
  const cells: Span[] = [];
  let from = 0;
  for (const cut of [...cuts, undefined]) {
    const to = cut?.index ?? line.length;
    // The bars at both ends of a row enclose it: nothing stands outside.
    if (!(barred && (from === 0 || !cut) && line.slice(from, to).trim() === '')) {
      const span = trimSpan(text, content + from, content + to);
      cells.push(span ?? { start: content + to, end: content + to });
      if (!barred && span && span.end - span.start > LONGEST_CELL) return [];
    }
    from = to + (cut?.[0].length ?? 0);
  }
  return cells;
}

function rowsOf(text: string, rows: readonly MarkedLine[], { cells }: Table): MarkedLine[] {
  const rule = rows.findIndex((row) => isSeparator(text, row));
  const isHeaded = rule === 1 || (rule < 0 && looksHeaded(text, cells));
  const headers = isHeaded ? (cells[0] ?? []) : [];
  return rows.flatMap((row, n): MarkedLine[] => {
    const own = cells[n] ?? [];
    if ((isHeaded && n === 0) || isSeparator(text, row)) return [];
    if (row.end - row.content > LONGEST || own.length === 0) return [{ ...row, kind: 'plain' }];
    return [{ ...row, kind: 'table', row: { cells: own, headers } }];
  });
}

const FIGURE = /\p{N}/u;

/** A first line of words over lines with figures. */
function looksHeaded(text: string, cells: readonly (readonly Span[])[]): boolean {
  const [first = [], ...rest] = cells;
  const texts = first.map(({ start, end }) => text.slice(start, end));
  if (rest.length < 1 || texts.some((cell, n) => FIGURE.test(cell) || (n > 0 && !WORDY.test(cell)))) return false;
  return rest.every((row) => row.some(({ start, end }) => FIGURE.test(text.slice(start, end))));
}
