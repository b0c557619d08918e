import type { NumberToken } from './number-tokens.ts';
import { CARDINALS, ORDINALS, SCALES, SHARES } from './number-words.ts';

/** A number in English words: its value and the index after its last token. */
export interface WordNumber {
  readonly value: number;
  readonly end: number;
}

const lowerAt = (tokens: readonly NumberToken[], at: number) => tokens[at]?.lower ?? '';

/** The factor of a word such as "million"; short forms count only where they cling to digits. */
export function scaleAt(tokens: readonly NumberToken[], at: number): number | undefined {
  const lower = lowerAt(tokens, at);
  return lower.length > 1 || /\p{Script=Han}/u.test(lower) ? SCALES.get(lower) : undefined;
}

/** "Half a million", "half a dozen". */
export function readHalfScale(tokens: readonly NumberToken[], at: number): WordNumber | null {
  if (lowerAt(tokens, at) !== 'half') return null;
  const place = /^an?$/u.test(lowerAt(tokens, at + 1)) ? at + 2 : at + 1;
  const scale = scaleAt(tokens, place);
  return scale === undefined ? null : { value: scale / 2, end: place + 1 };
}

/** "Half", "a third of", "two-thirds", "three quarters": a share, in percent. */
export function readShare(tokens: readonly NumberToken[], at: number): WordNumber | null {
  const first = lowerAt(tokens, at);
  if (first === 'half') return { value: 50, end: at + 1 };
  const times = first === 'a' ? 1 : CARDINALS.get(first);
  if (times === undefined || times === 0) return null;
  const place = lowerAt(tokens, at + 1) === '-' ? at + 2 : at + 1;
  const part = SHARES.get(lowerAt(tokens, place));
  if (part === undefined) return null;
  const isOfSomething = lowerAt(tokens, place + 1) === 'of';
  if (first === 'a' && !isOfSomething) return null;
  // "Two quarters in a row" are stretches of time.
  const isQuarter = /^quarters?$/u.test(lowerAt(tokens, place));
  if (isQuarter && times !== 3 && !isOfSomething) return null;
  return { value: times * part, end: place + 1 };
}

/** "Twenty-five", "two hundred and fifty thousand", "two and a half million", "a million", "third". */
export function readNumberWords(tokens: readonly NumberToken[], at: number): WordNumber | null {
  const first = lowerAt(tokens, at);
  if (first === 'first' || first === 'second') return { value: first === 'first' ? 1 : 2, end: at + 1 };
  const isArticle = /^an?$/u.test(first) && scaleAt(tokens, at + 1) !== undefined;
  if (!isArticle && !CARDINALS.has(first) && !ORDINALS.has(first)) return null;
  let [total, current, end] = [0, isArticle ? 1 : 0, isArticle ? at + 1 : at];
  // What may follow: after tens a unit, after a scale anything.
  let below = isArticle ? 0 : 100;
  for (;;) {
    const joined = joinedBy(tokens, end, below);
    const word = lowerAt(tokens, joined);
    const value = wordValue(word, below);
    const scale = scaleAt(tokens, end);
    if (value !== undefined && value < below && (end === at || value > 0)) {
      current += value;
      below = value >= 20 && value % 10 === 0 ? 10 : 0;
      end = joined + 1;
      if (!CARDINALS.has(word)) break;
    } else if (scale !== undefined && current > 0) {
      if (scale === 100 || scale === 12) current *= scale;
      else [total, current] = [total + current * scale, 0];
      below = scale === 12 ? 0 : 100;
      end += 1;
    } else if (/^and a half$/u.test([0, 1, 2].map((step) => lowerAt(tokens, end + step)).join(' '))) {
      current += 0.5;
      below = 0;
      end += 3;
    } else break;
  }
  return { value: total + current, end };
}

/** The index of the word that goes on: behind the hyphen of "twenty-five" or the "and" of "hundred and five". */
function joinedBy(tokens: readonly NumberToken[], end: number, below: number): number {
  const joiner = lowerAt(tokens, end);
  const isHyphen = joiner === '-' && below === 10;
  const isAnd = joiner === 'and' && scaleAt(tokens, end - 1) !== undefined;
  return isHyphen || isAnd ? end + 1 : end;
}

function wordValue(word: string, below: number): number | undefined {
  if (below === 10 && (word === 'first' || word === 'second')) return word === 'first' ? 1 : 2;
  return CARDINALS.get(word) ?? ORDINALS.get(word);
}
