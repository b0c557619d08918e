import type { Span } from './document.ts';
import { type LineKind, lineKind } from './line-kind.ts';
import { type Line, lines } from './lines.ts';
import { isTranscript, type SpeakerLabel, speakerLabel } from './speaker-label.ts';
import { isWrapped } from './wrapped.ts';

export type BlockKind = 'prose' | 'heading' | 'item' | 'turn' | 'table' | 'code';

/** A stretch of text in which sentences may run on from line to line: a paragraph, heading, list item or turn. */
export interface Block extends Span {
  readonly kind: BlockKind;
  readonly speaker?: string | undefined;
}

interface MarkedLine extends Line {
  readonly kind: LineKind;
  /** Where its content starts, after markers. */
  readonly content: number;
  readonly label: SpeakerLabel | undefined;
}

/** Cuts a text into blocks. Rules and fences are left out; empty turns too. */
export function blocks(text: string): Block[] {
  const marked = lines(text).map((line): MarkedLine => {
    const { kind, start } = lineKind(text, line);
    return { ...line, kind, content: start, label: kind === 'plain' ? speakerLabel(text, start, line.end) : undefined };
  });
  const names = marked.flatMap((line) => line.label?.name ?? []);
  const transcript = isTranscript(names, marked.length);
  return transcript ? turnBlocks(text, marked) : proseBlocks(text, marked);
}

function turnBlocks(text: string, marked: readonly MarkedLine[]): Block[] {
  const found: Block[] = [];
  let speaker: string | undefined;
  let rest: MarkedLine[] = [];
  const flush = () => {
    for (const block of proseBlocks(text, rest)) {
      found.push(speaker === undefined || block.kind === 'heading' ? block : { ...block, kind: 'turn', speaker });
    }
    rest = [];
  };
  for (const line of marked) {
    if (line.label) {
      flush();
      speaker = line.label.name;
      const content = line.content + line.label.length;
      if (content < line.end) rest.push({ ...line, content, start: content, afterGap: true });
    } else rest.push(line);
  }
  flush();
  return found;
}

function proseBlocks(text: string, marked: readonly MarkedLine[]): Block[] {
  const found: (Block & { lineCount: number; isolated: boolean })[] = [];
  const widths = paragraphWidths(marked);
  let fenced = false;
  let last: MarkedLine | undefined;
  for (const [n, line] of marked.entries()) {
    const before = found.at(-1);
    if (line.kind === 'fence') {
      fenced = !fenced;
      last = undefined;
    } else if (fenced) {
      found.push({ kind: 'code', start: line.start, end: line.end, lineCount: 1, isolated: false });
    } else if (line.kind === 'underline') {
      if (before && before.lineCount === 1 && last?.kind === 'plain')
        found[found.length - 1] = { ...before, kind: 'heading' };
      last = undefined;
    } else if (line.kind === 'plain' && before && last && runsOn(text, last, line, widths[n] ?? 0)) {
      found[found.length - 1] = { ...before, end: line.end, lineCount: before.lineCount + 1 };
      last = line;
    } else if (line.kind !== 'rule') {
      const kind = line.kind === 'plain' ? 'prose' : line.kind;
      found.push({ kind, start: line.content, end: line.end, lineCount: 1, isolated: line.afterGap });
      last = line;
    } else last = undefined;
  }
  return found.map(({ lineCount, isolated, ...block }, n) => {
    const next = found[n + 1];
    const title = block.kind === 'prose' && lineCount === 1 && isolated && next && isTitle(text, block, next);
    return title ? { ...block, kind: 'heading' } : block;
  });
}

/** Whether a plain line goes on with the block of the line before it. */
function runsOn(text: string, last: MarkedLine, line: MarkedLine, width: number): boolean {
  if (line.afterGap || last.kind === 'heading' || last.kind === 'table') return false;
  if (last.kind === 'item' && line.indent > last.indent) return true;
  return isWrapped(text, { start: last.start, end: last.end }, { start: line.content, end: line.end }, width);
}

/** For each line, the longest line of the run of lines without a gap that it stands in. */
function paragraphWidths(marked: readonly Line[]): number[] {
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

const ENDS = /[\p{Sentence_Terminal}…:;,"”»)\]]$/u;

/** A short line of its own without a stop, above a list, a table or something longer that has one. */
function isTitle(text: string, block: Span, next: Block): boolean {
  const length = block.end - block.start;
  if (length > 90 || ENDS.test(text.slice(block.start, block.end))) return false;
  const line = text.slice(block.start, block.end);
  if (line.split(/\s+/u).length > 12) return false;
  if (next.kind !== 'prose') return next.kind !== 'heading';
  return next.end - next.start > length && ENDS.test(text.slice(Math.max(next.start, next.end - 2), next.end));
}
