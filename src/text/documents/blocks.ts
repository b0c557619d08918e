import { characterAt, type Span, WORDY } from './document.ts';
import { fieldLabel, turns } from './labels.ts';
import { messagesOf } from './mail.ts';
import type { MarkedLine, TableRow } from './marked-lines.ts';

/** Levels below the six of marked headings. */
const LEVEL = { document: 0, capitals: 7, numbered: 8, guessed: 10 };

const LONGEST = 90;
const MAX_FIRST_LENGTH = 110;
const MAX_WORDS = 12;
const STOPS = /[\p{Sentence_Terminal}…:;,"”»\]]$/u;
const FINISHED = /[\p{Sentence_Terminal}…:]["'”’)\]]*$/u;
const NUMBER = /(\d{1,2}(?:\.\d{1,2}){0,3}|[IVX]{1,5}|[A-Z])[.)]?\s{1,4}$/u;
const NUMBERED = /^(\d{1,2}(?:\.\d{1,2}){1,3})[.)]?\s+(?=\p{L})/u;

/** "Home | Docs | Blog" */
export const NAVIGATION = /^[^.!?]{0,200}(?:\s[|›»>]\s[^|›»>]{1,40}){2,}$/u;

/** Turns blocks that look like headings into headings: the first line, numbered lines, capitals, short lines above text. */
function markTitles(text: string, found: readonly Block[]): Block[] {
  const shouts = mostlyCapitals(text, found);
  return found.map((block, n) => {
    if (block.lineCount > 1 || (block.kind !== 'prose' && block.kind !== 'item') || block.role) return block;
    const next = found[n + 1];
    const level = titleLevel(text, found, n, shouts);
    if (level === undefined) return block;
    const guess = level === LEVEL.guessed;
    return { ...block, kind: 'heading', level, guess, caption: guess && next?.afterGap };
  });
}

function titleLevel(text: string, found: readonly Block[], n: number, shouts: boolean): number | undefined {
  const [block, next] = [found[n], found[n + 1]];
  if (!block || !next || block.notes || block.end - block.start > MAX_FIRST_LENGTH) return undefined;
  if (block.kind === 'item' && !block.afterGap) return undefined;
  const line = text.slice(block.start, block.end);
  if (!WORDY.test(line) || NAVIGATION.test(line) || line.split(/\s+/u).length > (n === 0 ? MAX_WORDS + 4 : MAX_WORDS))
    return undefined;
  if (block.kind === 'item') return isNumberedHeading(text, found, n, line) ? LEVEL.numbered : undefined;
  if (!shouts && !block.role && isCapitals(line) && !FINISHED.test(line))
    return n === 0 ? LEVEL.document : LEVEL.capitals;
  if (FINISHED.test(line)) return undefined;
  const sectionNumber = NUMBERED.exec(line)?.[1];
  if (sectionNumber && block.afterGap) return LEVEL.numbered + 0.1 * sectionNumber.split('.').length;
  if (n === 0 && isDocumentTitle(text, found, line)) return LEVEL.document;
  if (!block.afterGap || line.length > LONGEST || STOPS.test(line)) return undefined;
  if (isField(line) && !isFieldTitle(text, next)) return undefined;
  if (next.kind !== 'prose') return next.kind === 'heading' ? undefined : LEVEL.guessed;
  return next.end - next.start > line.length && FINISHED.test(endOf(text, next)) ? LEVEL.guessed : undefined;
}

/** "3. Equipment" with its text directly below, or alone between gaps outside a list. */
function isNumberedHeading(text: string, found: readonly Block[], n: number, line: string): boolean {
  const [before, block, next] = [found[n - 1], found[n], found[n + 1]];
  if (!block?.afterGap || !next || FINISHED.test(line) || line.length > LONGEST) return false;
  const mark = markBefore(text, block);
  if (!NUMBER.test(mark)) return false;
  const isSibling = (other: Block | undefined) =>
    other?.kind === 'item' && other.indent === block.indent && NUMBER.test(markBefore(text, other));
  if (isSibling(next) || (isSibling(before) && !next.afterGap && next.kind === 'item')) return false;
  if (!next.afterGap) return true;
  return !isSibling(before) && next.kind === 'prose' && next.end - next.start > line.length;
}

function isFieldTitle(text: string, next: Block): boolean {
  if (next.afterGap || next.kind !== 'prose') return false;
  return FINISHED.test(endOf(text, next)) && !isField(text.slice(next.start, Math.min(next.end, next.start + LONGEST)));
}

function markBefore(text: string, { start }: Span): string {
  return text.slice(Math.max(0, start - 12), start).replace(/^[\s\S]*[\n\r]/, '');
}

/** The first line is the title if more follows that is not of its kind. */
function isDocumentTitle(text: string, found: readonly Block[], line: string): boolean {
  const [, second, third] = found;
  if (!second || !third || /[,;]$/u.test(line)) return false;
  if (isField(line) && second.kind === 'prose' && isField(text.slice(second.start, second.end))) return false;
  return found.slice(1, 30).some((block) => block.kind !== 'prose' || FINISHED.test(endOf(text, block)));
}

function isField(line: string): boolean {
  return /^[^:：.!?]{1,40}[:：]\s+\S/u.test(line);
}

function endOf(text: string, { start, end }: Span): string {
  return text.slice(Math.max(start, end - 4), end);
}

function isCapitals(line: string): boolean {
  const letters = line.replace(/[^\p{L}]/gu, '');
  return (
    letters.length > 3 &&
    /\p{Lu}/u.test(letters) &&
    letters === letters.toUpperCase() &&
    letters !== letters.toLowerCase()
  );
}

function mostlyCapitals(text: string, found: readonly Block[]): boolean {
  const some = found.slice(0, 60);
  const lines = some.filter(({ start, end }) => isCapitals(text.slice(start, Math.min(end, start + LONGEST))));
  return lines.length > 0.4 * some.length && some.length > 2;
}

const NARROWEST = 45;
const CONTINUES = /^(?:[\p{Ll},;:.!?)\]}»”’%]|\(\p{Ll})/u;
const DANGLES =
  /(?:[,;(\-–—]|\b(?:a|an|the|of|to|in|on|at|by|for|with|from|and|or|but|as|than|that|which|who|is|are|was|were|be|has|have|had|will|would|can|our|their|his|her|its|my|your|this|these))$/iu;
const WIDE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;

/** Whether a break between two lines comes from wrapping: the next word would not have fitted, or the sentence clearly continues. */
function isWrapped(text: string, line: Span, next: Span, width: number): boolean {
  if (CONTINUES.test(text.slice(next.start, next.start + 3))) return true;
  if (DANGLES.test(text.slice(Math.max(line.start, line.end - 12), line.end))) return true;
  if (width < NARROWEST && !WIDE.test(characterAt(text, next.start))) return false;
  if (width < NARROWEST / 2) return false;
  return line.end - line.start + 1 + firstWord(text, next) > width;
}

function firstWord(text: string, line: Span): number {
  if (WIDE.test(characterAt(text, line.start))) return 2;
  const limit = Math.min(line.end, line.start + 30);
  let at = line.start;
  while (at < limit && text.charCodeAt(at) !== 0x20) at++;
  return at - line.start;
}

export type BlockKind = 'prose' | 'heading' | 'item' | 'turn' | 'table' | 'code';

/** A paragraph, heading, list item or turn: sentences may continue from line to line. */
export interface Block extends Span {
  readonly kind: BlockKind;
  readonly speaker?: string | undefined;
  /** Number of its turn, question or answer; blocks of one turn share it. */
  readonly turn: number;
  readonly role?: 'question' | 'answer' | undefined;
  readonly level?: number | undefined;
  readonly indent: number;
  readonly afterGap: boolean;
  readonly lineCount: number;
  readonly row?: TableRow | undefined;
  readonly notes?: readonly Span[] | undefined;
  readonly guess?: boolean | undefined;
  readonly caption?: boolean | undefined;
}

/** Joins lines to blocks. Rules, fences and empty turns are left out. */
export function blocks(text: string, marked: readonly MarkedLine[]): Block[] {
  const kept = withoutFrontMatter(text, marked);
  const messages = messagesOf(text, kept);
  if (messages !== null) {
    return messages.flatMap(({ lines, sender, subject }, turn) =>
      markTitles(
        text,
        joinLines(text, lines).map((block): Block => ({ ...block, turn })),
      ).map((block): Block => {
        const notes = subject ? [subject, ...(block.notes ?? [])] : block.notes;
        return block.kind === 'heading' ? block : { ...block, speaker: sender, notes };
      }),
    );
  }
  const found = turns(text, kept).flatMap(({ lines, speaker, role, note }, turn) =>
    joinLines(text, lines).map((block): Block => {
      const notes = note ? [note, ...(block.notes ?? [])] : block.notes;
      if (speaker === undefined || block.kind === 'heading') return { ...block, turn, role };
      const kind = block.kind === 'table' || block.kind === 'code' ? block.kind : 'turn';
      return { ...block, turn, kind, speaker, notes };
    }),
  );
  return markTitles(text, found);
}

const MAX_FRONT_MATTER = 60;

/** Without the fields between two rules at the top, which describe the file. */
function withoutFrontMatter(text: string, marked: readonly MarkedLine[]): readonly MarkedLine[] {
  const isRule = ({ content, end }: MarkedLine) => end - content === 3 && text.startsWith('---', content);
  if (marked.length === 0 || marked[0].start > 3 || !isRule(marked[0])) return marked;
  const last = marked.slice(1, MAX_FRONT_MATTER).findIndex(isRule) + 1;
  const isField = ({ start, end }: MarkedLine) =>
    /^(?:[\w-]+:|- |#)/.test(text.slice(start, Math.min(end, start + 60)));
  return last > 1 && marked.slice(1, last).every((line) => isField(line) || line.indent > 0)
    ? marked.slice(last + 1)
    : marked;
}

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

function runsOn(text: string, last: MarkedLine, line: MarkedLine, width: number): boolean {
  if (line.afterGap || last.kind === 'heading' || last.kind === 'table') return false;
  if (last.kind === 'item' && line.indent > last.indent) return true;
  const next = { start: line.content, end: line.end };
  return isWrapped(text, last, next, isOwnEntry(text, last, next) ? 0 : width);
}

function isOwnEntry(text: string, last: Span, line: Span): boolean {
  if (fieldLabel(text, line) && /^\p{Lu}/u.test(text.slice(line.start, line.start + 2))) return true;
  const shape = shapeOf(text, line);
  return shape.includes('0') && shape === shapeOf(text, last);
}

function shapeOf(text: string, { start, end }: Span): string {
  return /^\S{1,12}(?=\s)/u.exec(text.slice(start, Math.min(end, start + 14)))?.[0].replace(/\p{N}+/gu, '0') ?? '';
}

const STOP = /[\p{Sentence_Terminal}…]["'”’»)\]]*(?:\s|$)|[。！？]/u;

function paragraphWidths(text: string, marked: readonly MarkedLine[]): number[] {
  const widths: number[] = [];
  for (let first = 0, n = 0; n < marked.length; n++) {
    if (n + 1 < marked.length && !marked[n + 1].afterGap) continue;
    const lines = marked.slice(first, n + 1);
    const isProse = STOP.test(text.slice(marked[first].start, marked[n].end));
    const isHead = first === 0 && n === 1 && /^[\p{Lu}(]/u.test(text.slice(marked[n].start, marked[n].start + 2));
    const width = lines.reduce((most, { start, end }) => Math.max(most, end - start), 0);
    for (const _ of lines) widths.push(isProse && !isHead ? width : 0);
    first = n + 1;
  }
  return widths;
}
