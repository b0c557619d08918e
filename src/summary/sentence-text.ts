import { plainText } from './plain-text.ts';
import type { SelectedPoint } from './summary.ts';

const CLOSERS = '["\'”’»›)\\]}」』）】》〉]';
const ENDED = new RegExp(`[\\p{Sentence_Terminal}…‥]${CLOSERS}*$`, 'u');
const DANGLING = /[\s,;:、，；：،؛–—-]+$/u;
/** Enough to see how a text ends; searching all of it for its end would take quadratic time. */
const TAIL = 64;
const LIST_MARK = /^(?:(?:[-*+•‣▪◦–—]|#{1,6}|>+)\s+)+/u;

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

/**
 * The sentence that stands for a key point: its own wording, capitalised where that is safe, ended, and named after its
 * speaker. Nothing is paraphrased.
 */
export function sentenceText(point: Pick<SelectedPoint, 'text' | 'speaker'> & { quote?: { text: string } }): string {
  const body = plainText(point.text).replace(LIST_MARK, '') || plainText(point.quote?.text ?? '') || '…';
  const sentence = endSentence(capitalise(body));
  const speaker = plainText(point.speaker ?? '').replace(/[\s:]+$/u, '');
  if (!speaker || sentence.toLowerCase().startsWith(`${speaker.toLowerCase()}:`)) return sentence;
  return `${speaker}: ${sentence}`;
}

/** Adds the full stop of its script to a text without end punctuation. */
export function endSentence(text: string): string {
  if (ENDED.test(text)) return text;
  const cut = Math.max(0, text.length - TAIL);
  const body = text.slice(0, cut) + text.slice(cut).replace(DANGLING, '');
  const lastLetter = body.slice(-TAIL).match(/\p{L}(?=\P{L}*$)/u)?.[0] ?? '';
  const stop = FULL_STOPS.find(([script]) => script.test(lastLetter));
  return `${body}${stop ? stop[1] : '.'}`;
}

/** Raises the first letter unless the word is written as it is on purpose: "iPhone", "mRNA", "example.com", "p53". */
function capitalise(text: string): string {
  const match = text.match(/^(["“‘«‹(¿¡„]*)(\p{Ll})(\S*)/u);
  if (!match) return text;
  const [whole, opening = '', letter = '', rest = ''] = match;
  const deliberate = /[\p{Lu}\p{Nd}_@/\\]|[.:]\S/u.test(rest) || /^['’]/u.test(rest);
  const raised = letter.toUpperCase();
  if (deliberate || raised.length !== letter.length) return text;
  return opening + raised + rest + text.slice(whole.length);
}
