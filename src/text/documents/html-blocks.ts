import { trimSpan, WORDY } from './characters.ts';
import type { Span } from './document.ts';
import type { MarkedLine } from './marked-lines.ts';

/** Elements whose beginning and end part what stands before from what comes. */
export const BLOCK_ELEMENTS: ReadonlySet<string> = new Set(
  (
    'html body main article section div p blockquote ul ol li dl dt dd table caption thead tbody tfoot tr td th pre figure ' +
    'figcaption address details summary h1 h2 h3 h4 h5 h6 hr header footer nav aside form fieldset option center'
  ).split(' '),
);
const HEADING = /^h([1-6])$/;
/** A cell with more is part of a page's layout. In UTF-16 units; a row of several cells may have more. */
const LONGEST_CELL = 200;
const LONGEST_ROW = 600;

interface Piece extends Span {
  readonly kind: 'plain' | 'heading' | 'item';
  readonly level?: number;
  readonly indent: number;
  readonly notes?: readonly Span[];
}

interface Row {
  /** What stands in each cell. */
  readonly cells: Piece[][];
  /** Cells that are headers. */
  headers: number;
}

type Found =
  | Piece
  | { readonly table: number; readonly cells: readonly Span[]; readonly headed: boolean; caption?: Span };

/** Puts the text of a page together to blocks, as its tags come and go. No stack: a block ends where any other begins. */
export function htmlBlocks() {
  const found: Found[] = [];
  let start = -1;
  let end = -1;
  let heading = 0;
  let lists = 0;
  let isItem = false;
  let breaks = 0;
  let tables = 0;
  let row: Row | undefined;
  let caption: Span | undefined;
  let term: Span | undefined;
  let part = '';

  const put = (piece: Piece) => {
    if (row) row.cells.at(-1)?.push(piece);
    else found.push(piece);
  };
  const flush = () => {
    if (start >= 0) {
      const span = { start, end };
      if (part === 'caption' && row === undefined) caption = span;
      else if (part === 'dt') term = span;
      else if (heading > 0) put({ ...span, kind: 'heading', level: heading, indent: 0 });
      else if (isItem) put({ ...span, kind: 'item', indent: lists });
      else put({ ...span, kind: 'plain', indent: 0, ...(part === 'dd' && term && { notes: [term] }) });
    }
    start = -1;
    breaks = 0;
  };
  const endRow = () => {
    flush();
    if (!row) return;
    const { cells, headers } = row;
    row = undefined;
    const spans = cells.map(spanOf);
    const filled = spans.filter((span) => span.end > span.start);
    const length = (filled.at(-1)?.end ?? 0) - (filled[0]?.start ?? 0);
    const isRow = cells.length > 1 && length <= LONGEST_ROW && spans.every((s) => s.end - s.start <= LONGEST_CELL);
    if (isRow)
      found.push({ table: tables, cells: spans, headed: headers === cells.length, ...(caption && { caption }) });
    else for (const piece of cells.flat()) found.push(piece);
  };

  return {
    text(from: number, to: number, isBlank: boolean): void {
      if (!isBlank) breaks = 0;
      if (start < 0) start = from;
      end = to;
    },
    inHeading: () => heading > 0,
    /** Two in a row end a paragraph. */
    lineBreak(): void {
      if (++breaks > 1) flush();
    },
    open(name: string): void {
      if (!BLOCK_ELEMENTS.has(name)) return;
      if (name === 'table' || name === 'tr') endRow();
      else flush();
      const level = HEADING.exec(name)?.[1];
      if (level !== undefined) heading = Number(level);
      if (name === 'li') isItem = true;
      if (name === 'ul' || name === 'ol') {
        lists++;
        isItem = false;
      }
      if (name === 'table') {
        tables++;
        caption = undefined;
      }
      if (name === 'tr') row = { cells: [], headers: 0 };
      if (row && (name === 'td' || name === 'th')) {
        row.cells.push([]);
        if (name === 'th') row.headers++;
      }
      if (name === 'caption' || name === 'dt' || name === 'dd') part = name;
    },
    close(name: string): void {
      if (!BLOCK_ELEMENTS.has(name)) return;
      if (name === 'tr' || name === 'table') endRow();
      else flush();
      if (HEADING.test(name)) heading = 0;
      if (name === 'li') isItem = false;
      if (name === 'ul' || name === 'ol') {
        lists = Math.max(0, lists - 1);
        isItem = false;
      }
      if (name === part) part = '';
      if (name === 'dl') term = undefined;
    },
    /** The blocks that hold something, in order. */
    finish(view: string): MarkedLine[] {
      endRow();
      return linesOf(view, found);
    },
  };
}

function spanOf(pieces: readonly Piece[]): Span {
  return { start: pieces[0]?.start ?? 0, end: pieces.at(-1)?.end ?? 0 };
}

function linesOf(view: string, found: readonly Found[]): MarkedLine[] {
  const headers = new Map<number, readonly Span[]>();
  return found.flatMap((each): MarkedLine[] => {
    if ('kind' in each) {
      const span = trimSpan(view, each.start, each.end);
      if (!span || !WORDY.test(view.slice(span.start, span.end))) return [];
      const { kind, level, indent, notes } = each;
      return [{ ...span, kind, content: span.start, afterGap: true, indent, level, notes }];
    }
    const cells = each.cells.map(
      (cell) => trimSpan(view, cell.start, cell.end) ?? { start: cell.start, end: cell.start },
    );
    if (each.headed && !headers.has(each.table)) {
      headers.set(each.table, cells);
      return [];
    }
    const filled = cells.filter((cell) => cell.end > cell.start);
    const [start, end] = [filled[0]?.start ?? 0, filled.at(-1)?.end ?? 0];
    if (!WORDY.test(view.slice(start, end))) return [];
    return [
      {
        start,
        end,
        kind: 'table',
        content: start,
        afterGap: true,
        indent: 0,
        row: { cells, headers: headers.get(each.table) ?? [] },
        notes: each.caption && [each.caption],
      },
    ];
  });
}
