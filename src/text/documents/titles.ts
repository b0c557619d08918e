import type { Block } from './blocks.ts';
import { WORDY } from './characters.ts';
import type { Span } from './document.ts';

/** Levels of what is not marked as a heading, below the six that are. */
const LEVEL = { document: 0, capitals: 7, numbered: 8, guessed: 10 };

const LONGEST = 90;
const LONGEST_FIRST = 110;
const MOST_WORDS = 12;
/** A title has no stop; nor does it break off. */
const STOPS = /[\p{Sentence_Terminal}…:;,"”»\]]$/u;
const FINISHED = /[\p{Sentence_Terminal}…:]["'”’)\]]*$/u;
const NUMBER = /(\d{1,2}(?:\.\d{1,2}){0,3}|[IVX]{1,5}|[A-Z])[.)]?\s{1,4}$/u;
const NUMBERED = /^(\d{1,2}(?:\.\d{1,2}){1,3})[.)]?\s+(?=\p{L})/u;

/** Makes headings of the blocks that look like one: the line above all, numbered lines, capitals, short lines above text. */
export function markTitles(text: string, found: readonly Block[]): Block[] {
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
  if (!block || !next || block.notes || block.end - block.start > LONGEST_FIRST) return undefined;
  if (block.kind === 'item' && !block.afterGap) return undefined;
  const line = text.slice(block.start, block.end);
  if (!WORDY.test(line) || line.split(/\s+/u).length > (n === 0 ? MOST_WORDS + 4 : MOST_WORDS)) return undefined;
  if (block.kind === 'item') return isNumberedHeading(text, found, n, line) ? LEVEL.numbered : undefined;
  if (!shouts && !block.role && isCapitals(line) && !FINISHED.test(line))
    return n === 0 ? LEVEL.document : LEVEL.capitals;
  if (FINISHED.test(line)) return undefined;
  const numbered = NUMBERED.exec(line)?.[1];
  if (numbered && block.afterGap) return LEVEL.numbered + 0.1 * numbered.split('.').length;
  if (n === 0 && isDocumentTitle(text, found, line)) return LEVEL.document;
  if (!block.afterGap || line.length > LONGEST || STOPS.test(line)) return undefined;
  if (isField(line) && !isFieldTitle(text, next)) return undefined;
  if (next.kind !== 'prose') return next.kind === 'heading' ? undefined : LEVEL.guessed;
  return next.end - next.start > line.length && FINISHED.test(endOf(text, next)) ? LEVEL.guessed : undefined;
}

/** "3. Equipment" with its text directly below, or alone between gaps and not within a list. */
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

/** "Page 6: Leave" directly above a paragraph. */
function isFieldTitle(text: string, next: Block): boolean {
  if (next.afterGap || next.kind !== 'prose') return false;
  return FINISHED.test(endOf(text, next)) && !isField(text.slice(next.start, Math.min(next.end, next.start + LONGEST)));
}

/** What stands before an item on its line. */
function markBefore(text: string, { start }: Span): string {
  return text.slice(Math.max(0, start - 12), start).replace(/^[\s\S]*[\n\r]/, '');
}

/** The first line names the document where more than a line or two come, and not all of them are of its kind. */
function isDocumentTitle(text: string, found: readonly Block[], line: string): boolean {
  const [, second, third] = found;
  if (!second || !third || /[,;]$/u.test(line)) return false;
  if (isField(line) && second.kind === 'prose' && isField(text.slice(second.start, second.end))) return false;
  return found.slice(1, 30).some((block) => block.kind !== 'prose' || FINISHED.test(endOf(text, block)));
}

/** "Key: value". */
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

/** Whether a text is typed in capitals, so that they tell nothing. */
function mostlyCapitals(text: string, found: readonly Block[]): boolean {
  const some = found.slice(0, 60);
  const lines = some.filter(({ start, end }) => isCapitals(text.slice(start, Math.min(end, start + LONGEST))));
  return lines.length > 0.4 * some.length && some.length > 2;
}
