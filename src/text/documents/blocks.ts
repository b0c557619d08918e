import type { Span } from './document.ts';
import { fieldLabel } from './labels.ts';
import type { MarkedLine, TableRow } from './marked-lines.ts';
import { markTitles } from './titles.ts';
import { turns } from './turns.ts';
import { isWrapped } from './wrapped.ts';

export type BlockKind = 'prose' | 'heading' | 'item' | 'turn' | 'table' | 'code';

/** A stretch of text in which sentences may run on from line to line: a paragraph, heading, list item or turn. */
export interface Block extends Span {
  readonly kind: BlockKind;
  readonly speaker?: string | undefined;
  /** Number of its turn, question or answer in the text; blocks of one turn share it. */
  readonly turn: number;
  readonly role?: 'question' | 'answer' | undefined;
  /** Of a heading, the lower the further out; what is only guessed from the layout comes after what is marked. */
  readonly level?: number | undefined;
  readonly indent: number;
  /** Whether a blank line comes before. */
  readonly afterGap: boolean;
  readonly lineCount: number;
  readonly row?: TableRow | undefined;
  readonly notes?: readonly Span[] | undefined;
  /** Whether a heading was guessed from its layout alone. */
  readonly guess?: boolean | undefined;
  /** Whether it stands between gaps too, and may be a caption. */
  readonly caption?: boolean | undefined;
}

/** Puts lines together to blocks. Rules and fences are left out; empty turns too. */
export function blocks(text: string, marked: readonly MarkedLine[]): Block[] {
  const found = turns(text, marked).flatMap(({ lines, speaker, role, note }, turn) =>
    joinLines(text, lines).map((block): Block => {
      const notes = note ? [note, ...(block.notes ?? [])] : block.notes;
      if (speaker === undefined || block.kind === 'heading') return { ...block, turn, role };
      const kind = block.kind === 'table' || block.kind === 'code' ? block.kind : 'turn';
      return { ...block, turn, kind, speaker, notes };
    }),
  );
  return markTitles(text, found);
}

/** Above the levels of Markdown's and HTML's headings, for what is underlined below a paragraph's only line. */
function joinLines(text: string, marked: readonly MarkedLine[]): Omit<Block, 'turn'>[] {
  const found: Omit<Block, 'turn'>[] = [];
  const widths = paragraphWidths(text, marked);
  let fenced = false;
  let last: MarkedLine | undefined;
  for (const [n, line] of marked.entries()) {
    const before = found.at(-1);
    const { end, indent, afterGap, level, row, notes } = line;
    if (line.kind === 'fence') {
      fenced = !fenced;
      last = undefined;
    } else if (fenced) {
      found.push({ kind: 'code', start: line.start, end, lineCount: 1, indent, afterGap });
    } else if (line.kind === 'underline') {
      if (before && before.lineCount === 1 && last?.kind === 'plain')
        found[found.length - 1] = { ...before, kind: 'heading', level };
      last = undefined;
    } else if (line.kind === 'plain' && before && last && runsOn(text, last, line, widths[n] ?? 0)) {
      found[found.length - 1] = { ...before, end, lineCount: before.lineCount + 1 };
      last = line;
    } else if (line.kind !== 'rule') {
      const kind = line.kind === 'plain' ? 'prose' : line.kind;
      found.push({ kind, start: line.content, end, lineCount: 1, indent, afterGap, level, row, notes });
      last = line;
    } else last = undefined;
  }
  return found;
}

/** Whether a plain line goes on with the block of the line before it. */
function runsOn(text: string, last: MarkedLine, line: MarkedLine, width: number): boolean {
  if (line.afterGap || last.kind === 'heading' || last.kind === 'table') return false;
  if (last.kind === 'item' && line.indent > last.indent) return true;
  const [from, to] = [
    { start: last.start, end: last.end },
    { start: line.content, end: line.end },
  ];
  return isWrapped(text, from, to, isOwnEntry(text, from, to) ? 0 : width);
}

/** Whether a line begins an entry of its own: with a label, or with a figure of the form that the line before begins with. */
function isOwnEntry(text: string, last: Span, line: Span): boolean {
  if (fieldLabel(text, line) && /^\p{Lu}/u.test(text.slice(line.start, line.start + 2))) return true;
  const shape = shapeOf(text, line);
  return shape.includes('0') && shape === shapeOf(text, last);
}

/** The first word of a line, figures as 0. */
function shapeOf(text: string, { start, end }: Span): string {
  return /^\S{1,12}(?=\s)/u.exec(text.slice(start, Math.min(end, start + 14)))?.[0].replace(/\p{N}+/gu, '0') ?? '';
}

const STOP = /[\p{Sentence_Terminal}…]["'”’»)\]]*(?:\s|$)|[。！？]/u;

/**
 * For each line, the longest line of the run of lines without a gap that it stands in; 0 where no sentence ends in the
 * run: names, addresses and other lines of a head are not wrapped.
 */
function paragraphWidths(text: string, marked: readonly MarkedLine[]): number[] {
  const widths: number[] = [];
  let first = 0;
  for (let n = 0; n < marked.length; n++) {
    if (n + 1 < marked.length && !marked[n + 1]?.afterGap) continue;
    let width = 0;
    for (let k = first; k <= n; k++) width = Math.max(width, (marked[k]?.end ?? 0) - (marked[k]?.start ?? 0));
    const isProse = STOP.test(text.slice(marked[first]?.start, marked[n]?.end));
    // A first line over a single other is a title more often than a line that is full.
    const isHead =
      first === 0 && n === 1 && /^[\p{Lu}(]/u.test(text.slice(marked[n]?.start, (marked[n]?.start ?? 0) + 2));
    for (let k = first; k <= n; k++) widths.push(isProse && !isHead ? width : 0);
    first = n + 1;
  }
  return widths;
}
