import { countContent, hasVerb } from './english.ts';
import { countWords } from './words.ts';

/** Fewer words than this say too little to be cited. */
const MIN_WORDS = 4;
const MIN_WORDS_ELSEWHERE = 3;
/** From so many words on a sentence is taken to have a verb that the word list lacks. */
const SURELY_A_CLAUSE = 16;
/** The same where a full stop vouches for it. */
const SURELY_A_SENTENCE = 7;
const FINISHED = /[.!…]["'”’)\]]*$/u;

/** Whether a text is too thin for a statement: too short, or without anything like a verb. */
export function isFragment(text: string, english: boolean): boolean {
  const words = countWords(text);
  if (!english) return words < MIN_WORDS_ELSEWHERE;
  if (words < MIN_WORDS || countContent(text) < 1) return true;
  const finished = FINISHED.test(text);
  if (words >= (finished ? SURELY_A_SENTENCE : SURELY_A_CLAUSE)) return false;
  return !hasVerb(text, words > MIN_WORDS && finished);
}

/** Whether an English text of two or three words, or of any number, is a finished sentence all the same: "Profits doubled." */
export function isTerse(text: string, ofAnyLength = false): boolean {
  const words = countWords(text);
  if (words < 2 || !FINISHED.test(text) || countContent(text) < 1) return false;
  return ofAnyLength ? hasVerb(text, true) : words < MIN_WORDS && hasVerb(text, false);
}

/** Whether a text too thin for a statement is a whole sentence by its stop, and of some words: "No sign of mould." */
export function isWhole(text: string, english: boolean): boolean {
  return FINISHED.test(text) && countWords(text) >= MIN_WORDS_ELSEWHERE && (!english || countContent(text) > 0);
}
