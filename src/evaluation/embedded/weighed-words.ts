import { STOP_WORDS, wordsOf } from '../../selection/index.ts';

/** A word that carries matter. */
export interface WeighedWord {
  readonly stem: string;
  /** What it counts beside its rarity. */
  readonly weight: number;
}

/** Numbers and names are what a paraphrase keeps: they count twice. */
const KEPT = 2;

/** The content words of a text, in order. */
export function weighedWords(text: string): WeighedWord[] {
  return wordsOf(text).flatMap(({ text: word, stem }, place) => {
    if (STOP_WORDS.has(word.toLowerCase())) return [];
    const isKept = /\p{N}/u.test(word) || (place > 0 && /^\p{Lu}/u.test(word));
    return [{ stem, weight: isKept ? KEPT : 1 }];
  });
}
