import { STOP_WORDS } from './stop-words.ts';
import { stem, type Word, wordsOf, wordTexts } from './word-overlap.ts';

/** The words of a text that are no stop words, in order: words are looked up, as not all of their stems are some ("regarding" is "regard"). */
export function contentWords(text: string): Word[] {
  return wordsOf(text).filter((word) => !STOP_WORDS.has(word.text.toLowerCase()));
}

/** The distinct stems of them. */
export function contentStems(text: string): Set<string> {
  return new Set(contentWords(text).map(({ stem }) => stem));
}

/**
 * Finds which of some stems a text holds among its content words; every word is looked at once however many texts hold it.
 *
 * @returns the stems of `contentStems` that are among those wanted
 */
export function stemFinder(wanted: readonly string[]): (text: string) => ReadonlySet<string> {
  const stems = new Set(wanted);
  const known = new Map<string, string | null>();
  const read = (word: string): string | null => {
    const lower = word.toLowerCase();
    const found = STOP_WORDS.has(lower) ? '' : stem(lower);
    const wantedStem = stems.has(found) ? found : null;
    known.set(word, wantedStem);
    return wantedStem;
  };
  return (text) => {
    const held = new Set<string>();
    for (const word of wordTexts(text)) {
      const found = known.get(word);
      const own = found === undefined ? read(word) : found;
      if (own !== null) held.add(own);
    }
    return held;
  };
}
