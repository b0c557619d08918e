import type { Span } from './document.ts';
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
  /** Whether a heading was guessed from its layout alone: it may be a caption. */
  readonly guessed?: boolean | undefined;
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
  const widths = paragraphWidths(marked);
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
  return isWrapped(text, { start: last.start, end: last.end }, { start: line.content, end: line.end }, width);
}

/** For each line, the longest line of the run of lines without a gap that it stands in. */
function paragraphWidths(marked: readonly MarkedLine[]): number[] {
  const widths: number[] = [];
  let first = 0;
  for (let n = 0; n < marked.length; n++) {
    if (n + 1 < marked.length && !marked[n + 1]?.afterGap) continue;
    let width = 0;
    for (let k = first; k <= n; k++) width = Math.max(width, (marked[k]?.end ?? 0) - (marked[k]?.start ?? 0));
    for (let k = first; k <= n; k++) widths.push(width);
    first = n + 1;
  }
  return widths;
}
