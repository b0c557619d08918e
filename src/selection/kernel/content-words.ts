import { STOP_WORDS } from './stop-words.ts';
import { type Word, wordsOf } from './word-overlap.ts';

/** The words of a text that are no stop words, in order: words are looked up, as not all of their stems are some ("regarding" is "regard"). */
export function contentWords(text: string): Word[] {
  return wordsOf(text).filter((word) => !STOP_WORDS.has(word.text.toLowerCase()));
}

/** The distinct stems of them. */
export function contentStems(text: string): Set<string> {
  return new Set(contentWords(text).map(({ stem }) => stem));
}
