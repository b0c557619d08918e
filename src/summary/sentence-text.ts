import { withoutUnseen } from '../models/index.ts';
import { escapeMarkers, hasVerb, leaning, tidy } from '../text/index.ts';
import type { SelectedPoint } from './input.ts';
import { foreignIn } from './verify/foreign.ts';

const LIST_MARK = /^(?:(?:[-*+•‣▪◦–—]|#{1,6}|>+|\(?(?:\d{1,2}|[a-z])\))\s+)+/u;
/** "1. ", which before a month or a name in German is an ordinal. */
const NUMBER_OF_LIST = /^\d{1,2}\.\s+(?=(?:The|A|An|If|When|You|Your|We|All|Each|In|To|Do|Please)\s)/u;
/** The number of a clause: "3.2 In all", "16.3.1 Our". */
const NUMBER_OF_CLAUSE = /^\d{1,2}(?:\.\d{1,2}){1,3}\.?\s+(?=\p{Lu}\p{Ll}*\s)/u;
const DATELINE =
  /^(?:(?:\p{Lu}[\p{Lu}.'’-]+,? ){1,4}(?:\p{Lu}\p{Ll}+\.? \d{1,2}(?:, \d{4})? )?)?\((?:CNN|AP|AFP|UPI|BBC|dpa|Reuters|Bloomberg|Xinhua)[^()]{0,20}\)\s*(?:[-–—]{1,3}\s*)?(?=\S)/u;
const PAIRS: readonly (readonly [string, string])[] = [
  ['“', '”'],
  ['«', '»'],
  ['"', '"'],
];

function shownText(text: string): string {
  const plain = plainText(tidy(plainText(text)))
    .replace(LIST_MARK, '')
    .replace(NUMBER_OF_LIST, '')
    .replace(NUMBER_OF_CLAUSE, '')
    .replace(DATELINE, '');
  return withoutLoneMarks(plain);
}

function withoutLoneMarks(text: string): string {
  return PAIRS.reduce((shown, [open, close]) => {
    const [opened, closed] = [count(shown, open), count(shown, close)];
    const isLone = open === close ? opened % 2 === 1 : opened !== closed;
    if (!isLone) return shown;
    if (opened >= closed && shown.startsWith(open)) return shown.slice(open.length).trimStart();
    return closed >= opened && shown.endsWith(close) ? shown.slice(0, -close.length).trimEnd() : shown;
  }, text);
}

function count(text: string, mark: string): number {
  return text.split(mark).length - 1;
}

const CLOSERS = '["\'”’»›)\\]}」』）】》〉]';
const ENDED = new RegExp(`[\\p{Sentence_Terminal}…‥]${CLOSERS}*$`, 'u');
const DANGLING = /[\s,;:、，；：،؛–—-]+$/u;
/** Enough to see how a text ends; a search of the whole text would take quadratic time. */
const TAIL = 64;

/** Full stops of the scripts that do not use ".", by the script of the last letter. Thai and Lao end without one. */
const FULL_STOPS: readonly (readonly [RegExp, string])[] = [
  [/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Bopomofo}]/u, '。'],
  [/[\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Oriya}]/u, '।'],
  [/\p{Script=Armenian}/u, '։'],
  [/\p{Script=Ethiopic}/u, '።'],
  [/\p{Script=Myanmar}/u, '။'],
  [/\p{Script=Khmer}/u, '។'],
  [/[\p{Script=Thai}\p{Script=Lao}]/u, ''],
];

/** A point below this score is shown with its heading, lead-in or question. */
const READS_ALONE = 0.75;
/** A longer heading or lead-in is not used as a label. */
const MAX_LABEL_LENGTH = 25;
const OWN_LABEL = /^[\p{Lu}\p{N}][^:：.]{1,40}[:：]\s/u;
const BARE_ANSWER = /^(?:yes|no)[.,;:!–—]/iu;

export type Shown = Pick<SelectedPoint, 'text' | 'speaker' | 'under' | 'selfContained'> & { quote?: { text: string } };

interface Said {
  readonly speaker?: boolean;
  readonly label?: boolean;
}

/**
 * The sentence of a key point: its own wording, capitalised if safe, with a full stop and its speaker, and with its
 * heading, lead-in or question if needed. Nothing is paraphrased.
 * @param isFirst whether the sentence that its opening ("However, …") refers to is missing
 */
export function sentenceText(point: Shown, said: Said = {}, isFirst = false): string {
  const label = said.label ? null : labelOf(point);
  const own = bodyOf(point);
  const body = isFirst ? withoutConnective(own) : own;
  const speaker = said.speaker ? '' : shownText(point.speaker ?? '').replace(/(?<![\s:])[\s:]+$/u, '');
  const isName = speaker !== '' && foreignIn(speaker, [point.quote?.text ?? '']) === null;
  const isNamed = isName && !own.toLowerCase().startsWith(`${speaker.toLowerCase()}:`);
  if (label === null) return (isNamed ? `${speaker}: ` : '') + endSentence(capitalise(body));
  if (isQuestion(label)) return `${label} ${isNamed ? `${speaker}: ` : ''}${endSentence(capitalise(body))}`;
  return `${label}${isNamed ? ` (${speaker})` : ''}: ${endSentence(body)}`;
}

export function bodyOf({ text, quote }: Shown): string {
  return shownText(text) || shownText(quote?.text ?? '') || '…';
}

/** The heading, lead-in or question to show with a point; null if it reads alone or begins with it. */
export function labelOf(point: Shown): string | null {
  const nearest = shownText(point.under?.at(-1) ?? '');
  const label = isQuestion(nearest) ? nearest : nearest.replace(/(?<![\s.,;:–—-])[\s.,;:–—-]+$/u, '');
  const body = bodyOf(point);
  const isNeeded = (point.selfContained ?? 1) < READS_ALONE || BARE_ANSWER.test(body);
  if (!isNeeded || label === '' || label.split(' ').length > MAX_LABEL_LENGTH) return null;
  if (foreignIn(label, [point.quote?.text ?? '']) !== null) return null;
  // "Interview 03 – interviewer: Ana" describes the document, and "Liked: the colours" has its own label.
  if (!isQuestion(label) && (/[:：]/u.test(label) || OWN_LABEL.test(body))) return null;
  return spelt(body).startsWith(spelt(label)) ? null : label;
}

export function isQuestion(label: string): boolean {
  return /[?？؟]$/u.test(label);
}

/** A text reduced to letters, with their marks, and digits, for comparison. */
export function spelt(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim();
}

export function speltWords(text: string): ReadonlySet<string> {
  return new Set(spelt(text).split(' '));
}

export function endSentence(text: string): string {
  if (ENDED.test(text)) return text;
  const cut = Math.max(0, text.length - TAIL);
  const body = text.slice(0, cut) + text.slice(cut).replace(DANGLING, '');
  const lastLetter = body.slice(-TAIL).match(/\p{L}(?=\P{L}*$)/u)?.[0] ?? '';
  const stop = FULL_STOPS.find(([script]) => script.test(lastLetter));
  return `${body}${stop ? stop[1] : '.'}`;
}

/** Capitalises the first letter unless the spelling is deliberate: "iPhone", "mRNA", "example.com", "p53". */
function capitalise(text: string): string {
  const match = text.match(/^(["“‘«‹(¿¡„]*)(\p{Ll})(\S*)/u);
  if (!match) return text;
  const [whole, opening = '', letter = '', rest = ''] = match;
  const deliberate = /[\p{Lu}\p{Nd}_@/\\]|[.:]\S/u.test(rest) || /^['’]/u.test(rest);
  const raised = letter.toUpperCase();
  if (deliberate || raised.length !== letter.length) return text;
  return opening + raised + rest + text.slice(whole.length);
}

/** White space, and what looks like it: an empty braille cell, an object that is not there, an empty note, no character. */
const BLANKS = /[\s\u2800\ufffc\u{1d159}\p{Noncharacter_Code_Point}]+/gu;

/**
 * Makes foreign text safe inside a summary: one line, single spaces, no control or direction characters (joiners within
 * words stay: Persian and Hindi need them), and no brackets that look like our markers.
 */
export function plainText(text: string): string {
  return escapeMarkers(withoutUnseen(text)).replace(BLANKS, ' ').trim();
}

/** Connectives that can be removed; "otherwise" and "because of this" cannot. */
const BEFORE_COMMA =
  /^(?:however|nevertheless|nonetheless|meanwhile|moreover|furthermore|additionally|in addition|besides|also|similarly|likewise|conversely|by contrast|in contrast|on the other hand|on the contrary|instead|therefore|thus|hence|consequently|accordingly|as a result|in turn|in fact|in other words|for example|for instance|that said|after all|even so|at the same time|still|yet|then|so|and|but),\s+/iu;
const BARE =
  /^(?:(?:but|and) (?!(?:for|not|rather|yet|so|only|as)\b)|so (?=(?:the|a|an|we|they|it|he|she|i|you|this|these|our|their|its|there|no|all)\b))/iu;
/** Minimum number of words of a full sentence. */
const MIN_WORDS = 3;

function withoutConnective(text: string): string {
  const rest = text.replace(BEFORE_COMMA, '');
  const left = rest === text ? text.replace(BARE, '') : rest;
  return left.split(' ').length >= MIN_WORDS && hasVerb(left, true) ? left : text;
}

/** Whether a point leans on the text before it, and whether it still does without its connective. */
export function leanOf({ text, selfContained = 1 }: Pick<SelectedPoint, 'text' | 'selfContained'>): {
  readonly leans: boolean;
  readonly isLost: boolean;
} {
  if (selfContained >= 1) return { leans: false, isLost: false };
  const opensOn = (words: string) => leaning(words, { english: true, lower: false }) !== 'none';
  return { leans: opensOn(text), isLost: opensOn(withoutConnective(text)) };
}

/** V8 segments long strings in quadratic time (six minutes for a megabyte), so it is given pieces. */
const WINDOW = 2048;
/** Segments at the end of a piece that are read again with the next: "5", ".", "5" is one word. */
const OVERLAP = 3;
/** The locale hardly affects the boundaries. */
const SEGMENTER = new Intl.Segmenter('en', { granularity: 'word' });

/**
 * Counts words in any language by Unicode word boundaries, with dictionaries for scripts without spaces. Linear in the
 * length.
 */
export function countWords(text: string): number {
  let count = 0;
  let isInsideWord = false;
  for (let start = 0; start < text.length; ) {
    const isLast = start + WINDOW >= text.length;
    const segments = [...SEGMENTER.segment(text.slice(start, start + WINDOW))];
    const settled = isLast ? segments : segments.slice(0, Math.max(1, segments.length - OVERLAP));
    for (const [index, segment] of settled.entries()) {
      if (segment.isWordLike && !(index === 0 && isInsideWord)) count += 1;
    }
    // A word longer than the window continues in the next one.
    isInsideWord = segments.length === 1 && segments[0].isWordLike === true;
    start += isLast ? WINDOW : (segments[settled.length]?.index ?? WINDOW);
  }
  return count;
}

export function wordsIn(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + countWords(text), 0);
}
