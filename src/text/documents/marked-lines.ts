import { type Span, trimSpan, WORDY } from './document.ts';

interface Line extends Span {
  readonly afterGap: boolean;
  readonly indent: number;
}

const BREAK = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/g;

function lines(text: string): Line[] {
  const found: Line[] = [];
  let afterGap = true;
  const take = (start: number, end: number) => {
    const span = trimSpan(text, start, end);
    if (!span) {
      afterGap = true;
      return;
    }
    found.push({ ...span, afterGap, indent: span.start - start });
    afterGap = false;
  };
  let start = 0;
  for (const match of text.matchAll(BREAK)) {
    take(start, match.index);
    start = match.index + match[0].length;
  }
  take(start, text.length);
  return found;
}

const LONGEST = 600;
const MAX_CELLS = 40;
const MAX_CELL_LENGTH = 90;

const SEPARATOR = /^[|\s:+=-]*-[|\s:+=-]*$/;

/** Marks between cells, the most reliable first; a table needs `least` cells and `run` lines. */
const DIVIDERS: readonly { mark: RegExp; least: number; run: number }[] = [
  { mark: /\|/g, least: 2, run: 2 },
  { mark: /\t+/g, least: 2, run: 2 },
  { mark: /(?<![.!?:]) {2,}/g, least: 3, run: 2 },
  { mark: /;\s?/g, least: 3, run: 3 },
  { mark: /,(?=\S|$)(?=(?:[^"]*"[^"]*")*[^"]*$)/g, least: 3, run: 3 },
];

/** Finds table rows, marked by bars, tabs, wide gaps, semicolons or commas, with equal numbers of cells. Drops header and separator rows. */
function markTables(text: string, marked: readonly MarkedLine[]): MarkedLine[] {
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

function cellsOf(text: string, { content, end }: MarkedLine, mark: RegExp, barred: boolean): Span[] {
  if (end - content > LONGEST) return [];
  const line = text.slice(content, end);
  const cuts = [...line.matchAll(mark)];
  if (cuts.length === 0 || cuts.length > MAX_CELLS) return [];
  const cells: Span[] = [];
  let from = 0;
  for (const cut of [...cuts, undefined]) {
    const to = cut?.index ?? line.length;
    // The bars at both ends of a row enclose it.
    if (!(barred && (from === 0 || !cut) && line.slice(from, to).trim() === '')) {
      const span = trimSpan(text, content + from, content + to);
      cells.push(span ?? { start: content + to, end: content + to });
      const isLong = span !== undefined && span.end - span.start > MAX_CELL_LENGTH && text[span.start] !== '"';
      if (!barred && isLong) return [];
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
const NUMBER = /^[\p{Sc}\s+\-−]*\p{N}[\p{N}.,'\s]*(?:%|\p{Sc})?$/u;

/** A header has words where its column has figures. "sales_2024" is one above numbers alone. */
function looksHeaded(text: string, cells: readonly (readonly Span[])[]): boolean {
  const [first = [], ...rest] = cells.map((row) => row.map(({ start, end }) => text.slice(start, end)));
  if (rest.length < 1 || first.some((cell, n) => /^\p{N}/u.test(cell) || (n > 0 && !WORDY.test(cell)))) return false;
  if (!first.some((cell) => FIGURE.test(cell))) return rest.every((row) => row.some((cell) => FIGURE.test(cell)));
  return first.some((_, n) => rest.every((row) => NUMBER.test(row[n] ?? '')));
}

type LineKind = 'plain' | 'heading' | 'underline' | 'item' | 'table' | 'fence' | 'rule';

const HEADING = /^(#{1,6})\s+(?=\S)/;
const QUOTED = /^(?:>\s?)+/;
const ITEM =
  /^(?:[-*+•‣◦▪●–—·・]\s+|\(?(?:\d{1,3}|[a-zA-Z]|[ivxIVX]{1,4})[.)]\s+|[一二三四五六七八九十]{1,3}、)(?=\S)/u;
/** "A. Smith" opens prose, not a list. */
const INITIAL = /^[A-Z]\.\s/;
const FENCE = /^(?:```|~~~)/;
const RULE = /^(?:[-*_=]\s?){3,}$/;
const UNDERLINE = /^(?:={3,}|-{3,})$/;

/** A word of letters at the start: no marker, as for nearly every line. */
const PLAIN = /^\p{L}{1,5}(?:[\s,]|$)|^\p{L}{6}/u;

const HEAD = 40;
/** Longer lines after a heading sign, or lines of several sentences, are paragraphs. */
const MAX_HEADING_LENGTH = 200;
const MAX_WITH_STOPS_LENGTH = 80;
const STOP_WITHIN = /[.!?。！？]["'”’)]*\s+\p{Lu}|[。！？]./u;

function lineKind(text: string, line: Line): { kind: LineKind; start: number; level?: number } {
  if (PLAIN.test(text.slice(line.start, Math.min(line.end, line.start + 6))))
    return { kind: 'plain', start: line.start };
  const quoted = QUOTED.exec(text.slice(line.start, Math.min(line.end, line.start + HEAD)))?.[0].length ?? 0;
  const start = line.start + quoted;
  const head = text.slice(start, Math.min(line.end, start + HEAD));
  if (FENCE.test(head)) return { kind: 'fence', start };
  if (line.end - start <= HEAD && UNDERLINE.test(head) && !line.afterGap) {
    return { kind: 'underline', start, level: head.startsWith('=') ? 1 : 2 };
  }
  if (line.end - start <= 2 * HEAD && RULE.test(text.slice(start, line.end))) return { kind: 'rule', start };
  if (head.startsWith('|')) return { kind: 'table', start };
  const heading = HEADING.exec(head);
  if (heading) {
    const content = start + heading[0].length;
    return isParagraph(text, content, line.end)
      ? { kind: 'plain', start: content }
      : { kind: 'heading', start: content, level: heading[1]?.length ?? 1 };
  }
  const item = INITIAL.test(head) ? null : ITEM.exec(head);
  if (item) return { kind: 'item', start: start + item[0].length };
  return { kind: 'plain', start };
}

function isParagraph(text: string, start: number, end: number): boolean {
  if (end - start > MAX_HEADING_LENGTH) return true;
  return end - start > MAX_WITH_STOPS_LENGTH && STOP_WITHIN.test(text.slice(start, end));
}

export interface TableRow {
  readonly cells: readonly Span[];
  readonly headers: readonly Span[];
}

export interface MarkedLine extends Line {
  readonly kind: LineKind;
  readonly content: number;
  /** Level of a heading, or that an underline gives; 1 is the highest. */
  readonly level?: number | undefined;
  readonly row?: TableRow | undefined;
  /** Text that describes the line: a table's caption or the term explained. */
  readonly notes?: readonly Span[] | undefined;
}

const LETTERED = /^([A-Z])\.\s+(?=\S)/;
const NEARBY = [-4, -3, -2, -1, 1, 2, 3, 4];

/** The lines of plain or Markdown text, without header and separator lines of tables. */
export function markLines(text: string): MarkedLine[] {
  const marked = lines(text).map((line): MarkedLine => {
    const { kind, start, level } = lineKind(text, line);
    return { ...line, kind, content: start, level };
  });
  return markTables(text, markLettered(text, marked));
}

/** "A. …" opens an item if another letter is near; alone it is an initial. */
function markLettered(text: string, marked: readonly MarkedLine[]): MarkedLine[] {
  const letters = marked.map(({ kind, content, end }) =>
    kind === 'plain' ? LETTERED.exec(text.slice(content, Math.min(end, content + 8))) : null,
  );
  const codeAt = (n: number) => letters[n]?.[1]?.charCodeAt(0) ?? 0;
  return marked.map((line, n) => {
    const letter = letters[n];
    if (!letter) return line;
    const isNeighbour = (k: number) => codeAt(k) > 0 && codeAt(k) - codeAt(n) === Math.sign(k - n);
    return NEARBY.some((step) => isNeighbour(n + step))
      ? { ...line, kind: 'item', content: line.content + letter[0].length }
      : line;
  });
}
