import { isAbbreviation } from './abbreviations.ts';
import { characterAt, isBlank, trimSpan, WORDY } from './characters.ts';
import type { Span } from './document.ts';
import { pairs } from './pairs.ts';

const TERMINATOR = /[\p{Sentence_Terminal}…⋯]/u;
const NARROW = /[.!?…]/;
const CLOSER = /["'”’»)\]}」』）】》*_`]/;
const QUOTE_CLOSER = /["”’'»]/;
const FOOTNOTE = /(?:\[\d{1,3}\])+/y;
const OPENERS = /["'“‘„«([{*_`¿¡\s\u200b-\u200f\ufeff-]{0,12}/y;
const WORD = /[\p{L}\p{N}§][\p{L}\p{M}\p{N}'’]{0,30}/uy;
const WORD_UNIT = /[\p{L}\p{M}\p{N}.@/_'’&-]/u;
/** `"Stop!" John said`: the quotation goes on. */
const SAYS =
  /[\s,]*(?:\p{Lu}[\p{L}.'’-]{0,20}\s){1,3}(?:said|says|asked|added|told|replied|wrote|writes|noted|explained|argued|warned|shouted|cried|whispered)\b/uy;
const WIDE_QUOTE_END = /[」』”》]/;

/**
 * The sentences of one block (a paragraph, an item, a turn), as trimmed spans in order. One pass; every look around a
 * terminator is bounded, so that the time is linear in the length whatever the text.
 */
export function splitBlock(text: string, start: number, end: number): Span[] {
  const found: Span[] = [];
  const inside = pairs(text, start, end);
  let pair = 0;
  let closesAt = 0;
  let from = start;
  const emit = (to: number) => {
    const span = trimSpan(text, from, to);
    if (span && WORDY.test(text.slice(span.start, span.end))) found.push(span);
    from = to;
  };
  for (let at = start; at < end; at++) {
    if (!isTerminator(text, at)) continue;
    const runEnd = endOfRun(text, at, end);
    const after = skipClosers(text, runEnd, end);
    for (let p = inside[pair]; p && p.start < after; p = inside[++pair]) closesAt = Math.max(closesAt, p.end);
    const close = after < closesAt && text.charAt(after) === ' ' && after + 2 === closesAt ? closesAt : after;
    if (close >= closesAt && close < end && endsSentence(text, at, runEnd, close, end)) emit(close);
    at = close - 1;
  }
  emit(end);
  return found;
}

function isTerminator(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  if (code < 0x80) return code === 0x2e || code === 0x21 || code === 0x3f;
  return TERMINATOR.test(characterAt(text, at));
}

/** The end of a run of terminators, tokenised ones ("? !", ". . .") included. */
function endOfRun(text: string, at: number, end: number): number {
  let to = at + characterAt(text, at).length;
  for (;;) {
    if (to < end && isTerminator(text, to)) to += characterAt(text, to).length;
    else if (to + 1 < end && text.charAt(to) === ' ' && NARROW.test(text.charAt(to + 1))) to += 2;
    else return to;
  }
}

function skipClosers(text: string, from: number, end: number): number {
  let to = from;
  while (to < end && CLOSER.test(text.charAt(to))) to++;
  FOOTNOTE.lastIndex = to;
  const note = FOOTNOTE.exec(text);
  return Math.min(end, note ? to + note[0].length : to);
}

/** Whether the terminators in [at, runEnd), with closing marks up to `close`, end a sentence. */
function endsSentence(text: string, at: number, runEnd: number, close: number, end: number): boolean {
  const mark = characterAt(text, at);
  const quoted = close > runEnd && QUOTE_CLOSER.test(text.slice(runEnd, close));
  if (!NARROW.test(mark))
    return !(close > runEnd && WIDE_QUOTE_END.test(text.charAt(close - 1))) || isBreak(text, close);
  const word = wordBefore(text, at);
  const next = nextWord(text, close, end);
  const lower = /^\p{Ll}/u.test(next);
  if (!isBlank(text, close)) return isGlued(mark, word, next, text.charAt(close)) && close === runEnd;
  if (lower && close > runEnd && text.charAt(close - 1) === ')') return false;
  if (quoted) {
    SAYS.lastIndex = close;
    if (lower || SAYS.test(text)) return false;
  }
  if (mark === '…' || runEnd - at > 2) return /^[.…\s]+$/.test(text.slice(at, runEnd)) ? !lower && next !== '' : true;
  if (mark === '.') return !(runEnd - at === 1 && isAbbreviation(word, next)) && !isOpening(text, close, end);
  return !(lower && isNameBefore(text, at, word));
}

/** Only punctuation is left, or a bracket that belongs to the sentence before: no boundary yet. */
function isOpening(text: string, close: number, end: number): boolean {
  return close + 1 < end && /[,;:)]/.test(text.charAt(close + 1));
}

function isBreak(text: string, at: number): boolean {
  return isBlank(text, at) || /[「『“《（]/.test(text.charAt(at));
}

/** "…no reason.People say": two sentences typed without the space between. */
function isGlued(mark: string, word: string, next: string, following: string): boolean {
  if (!/^\p{Lu}\p{Ll}|^[AI]$/u.test(next) || !next.startsWith(following)) return false;
  return mark === '.' ? /^\p{Ll}{2,}$/u.test(word) : /^[\p{L}'’]{2,}$/u.test(word);
}

/** "Yahoo! is": a capitalised word inside the sentence, then lower case. */
function isNameBefore(text: string, at: number, word: string): boolean {
  const start = at - word.length;
  return (
    /^\p{Lu}\p{Ll}/u.test(word) && start > 1 && /[\p{Ll},]/u.test(text.charAt(start - 2)) && isBlank(text, start - 1)
  );
}

/** What stands directly before a stop, at most 24 units; the space of tokenised text is skipped, "z. B" gives "z.B". */
function wordBefore(text: string, at: number): string {
  let to = at;
  if (to > 0 && text.charAt(to - 1) === ' ') to--;
  let from = to;
  const floor = Math.max(0, to - 24);
  while (from > floor && WORD_UNIT.test(text.charAt(from - 1))) from--;
  const word = text.slice(from, to).replace(/^[.'’/&-]+/, '');
  const spaced = word.length === 1 ? /(?:^|\s)(\p{L})\.\s$/u.exec(text.slice(Math.max(0, from - 5), from)) : null;
  return spaced ? `${spaced[1]}.${word}` : word;
}

function nextWord(text: string, from: number, end: number): string {
  let at = from;
  while (at < end && isBlank(text, at)) at++;
  OPENERS.lastIndex = at;
  at += OPENERS.exec(text)?.[0].length ?? 0;
  WORD.lastIndex = at;
  return at < end ? (WORD.exec(text)?.[0] ?? '') : '';
}
