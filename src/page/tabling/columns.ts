import type { SourceDocument, Table, TableCell, TableEvent } from '../../client/index.ts';
import { nameOf } from '../making/draft.ts';

/** A question, and the cells that were filled for it. A changed document is another one, so its cell is gone. */
export interface Column {
  readonly question: string;
  /** The question that the cells answer. */
  readonly asked: string;
  readonly cells: ReadonlyMap<SourceDocument, TableCell>;
}

export const NO_COLUMN: Column = { question: '', asked: '', cells: new Map() };

export function isOpen({ question, asked, cells }: Column, documents: readonly SourceDocument[]): boolean {
  const wanted = question.trim();
  return wanted !== '' && (wanted !== asked || documents.some((document) => !cells.has(document)));
}

/** The columns with what an event tells of those whose questions were sent. @param sent the question of each column of the event */
export function told(
  columns: readonly Column[],
  event: TableEvent,
  sent: readonly string[],
  documents: readonly SourceDocument[],
): readonly Column[] {
  const cells =
    event.event === 'table' ? cellsOf(event.data) : event.event === 'cell' ? [{ agrees: [], ...event.data }] : [];
  return columns.map((column) => {
    const place = sent.indexOf(column.question.trim());
    const own = cells.filter((cell) => cell.column === place);
    if (place < 0 || own.length === 0) return column;
    const filled = new Map(column.asked === sent[place] ? column.cells : []);
    for (const cell of own) {
      const document = documents.find(({ id }) => id === cell.document);
      if (document !== undefined) filled.set(document, cell);
    }
    return { ...column, asked: sent[place], cells: filled };
  });
}

function cellsOf({ rows }: Table) {
  return rows.flatMap(({ document, cells }) => cells.map((cell, column) => ({ ...cell, document, column })));
}

export interface Filter {
  readonly words: string;
  /** Rows that do or do not say something in a column; null for all. */
  readonly said: { readonly column: number; readonly isSaid: boolean } | null;
  /** The column to sort by, -1 for the documents; null for their own order. */
  readonly sort: { readonly column: number; readonly isDown: boolean } | null;
}

export const NO_FILTER: Filter = { words: '', said: null, sort: null };

/** The documents to show, in order. */
export function shownRows(
  documents: readonly SourceDocument[],
  columns: readonly Column[],
  { words, said, sort }: Filter,
): readonly SourceDocument[] {
  const textOf = (document: SourceDocument, column: number): string =>
    column < 0 ? nameOf(document) : (columns[column]?.cells.get(document)?.text ?? '');
  const wanted = words.trim().toLowerCase();
  const rows = documents.filter((document) => {
    const cell = said && columns[said.column]?.cells.get(document);
    if (said !== null && (cell == null || cell.answered !== said.isSaid)) return false;
    return [-1, ...columns.keys()].some((column) => textOf(document, column).toLowerCase().includes(wanted));
  });
  if (sort === null) return rows;
  const sign = sort.isDown ? -1 : 1;
  return rows.toSorted((a, b) => {
    const [first, second] = [a, b].map((document) => textOf(document, sort.column));
    // Empty cells stay last either way.
    if (first === '' || second === '') return Number(first === '') - Number(second === '');
    return sign * first.localeCompare(second, 'en', { numeric: true });
  });
}

/** The table as an export takes it. */
export function tableOf(
  documents: readonly SourceDocument[],
  columns: readonly Column[],
): Pick<Table, 'rows' | 'columns'> {
  const none = { answered: false, sure: false, text: '', quote: null, agrees: [] };
  return {
    rows: documents.map((document) => ({
      document: document.id,
      title: nameOf(document),
      cells: columns.map(({ cells }) => cells.get(document) ?? none),
    })),
    columns: columns.map(({ asked, cells }) => {
      const answered = documents.filter((document) => cells.get(document)?.answered).length;
      return { question: asked, answered, of: documents.length };
    }),
  };
}
