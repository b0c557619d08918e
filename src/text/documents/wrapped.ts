import { characterAt } from './characters.ts';
import type { Span } from './document.ts';

/** Text is not wrapped narrower than this. */
const NARROWEST = 45;
const CONTINUES = /^(?:[\p{Ll},;:.!?)\]}»”’%]|\(\p{Ll})/u;
const DANGLES =
  /(?:[,;(\-–—]|\b(?:a|an|the|of|to|in|on|at|by|for|with|from|and|or|but|as|than|that|which|who|is|are|was|were|be|has|have|had|will|would|can|our|their|his|her|its|my|your|this|these))$/iu;
const WIDE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;

/**
 * Whether the break between two adjacent lines was made by wrapping, so that the sentence may run on.
 *
 * A wrapped line is full: the next line's first word would not have fitted in the paragraph's width. A line that begins
 * in lower case, or follows a word that cannot end a sentence, runs on however short the one before was.
 */
export function isWrapped(text: string, line: Span, next: Span, width: number): boolean {
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
