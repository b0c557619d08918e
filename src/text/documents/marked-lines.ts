import type { Span } from './document.ts';
import { type LineKind, lineKind } from './line-kind.ts';
import { type Line, lines } from './lines.ts';
import { markTables } from './tables.ts';

/** A line of a table: its cells, and the header above each where the table has one. */
export interface TableRow {
  readonly cells: readonly Span[];
  readonly headers: readonly Span[];
}

/** A line with what it is. */
export interface MarkedLine extends Line {
  readonly kind: LineKind;
  /** Where its content starts, after markers. */
  readonly content: number;
  /** Of a heading, 1 the highest; of an underline, the level that it gives. */
  readonly level?: number | undefined;
  /** Of a line of a table. */
  readonly row?: TableRow | undefined;
  /** What is said of it beside it: a table's caption, the term that is explained. */
  readonly notes?: readonly Span[] | undefined;
}

/** A lettered point: "A. In nine components …". */
const LETTERED = /^([A-Z])\.\s+(?=\S)/;
/** Lines within which the next letter comes. */
const NEAR = 4;

/** The lines of a plain or Markdown text. Header and separator lines of tables are left out. */
export function markLines(text: string): MarkedLine[] {
  const marked = lines(text).map((line): MarkedLine => {
    const { kind, start, level } = lineKind(text, line);
    return { ...line, kind, content: start, level };
  });
  return markTables(text, markLettered(text, marked));
}

/** "A. …" opens an item where another letter follows or came before it: alone it is somebody's initial. */
function markLettered(text: string, marked: readonly MarkedLine[]): MarkedLine[] {
  const letters = marked.map(({ kind, content, end }) =>
    kind === 'plain' ? LETTERED.exec(text.slice(content, Math.min(end, content + 8))) : null,
  );
  const codeAt = (n: number) => letters[n]?.[1]?.charCodeAt(0) ?? 0;
  return marked.map((line, n) => {
    const letter = letters[n];
    if (!letter) return line;
    let neighbour = false;
    for (let k = Math.max(0, n - NEAR); k <= n + NEAR && !neighbour; k++) {
      neighbour = codeAt(k) > 0 && codeAt(k) - codeAt(n) === Math.sign(k - n) && k !== n;
    }
    return neighbour ? { ...line, kind: 'item', content: line.content + letter[0].length } : line;
  });
}
