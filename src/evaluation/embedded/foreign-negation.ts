import { wordsOf } from '../../selection/kernel/word-overlap.ts';
import { tokensOf } from '../../summary/contradiction/tokens.ts';
import { looksEnglish } from '../../summary/contradiction/vocabulary.ts';

/** Words that deny in German, French, Spanish, Italian, Portuguese, Dutch, Swedish, Polish and Russian. */
const DENYING = new Set(
  'nicht kein keine keinen keinem keiner keines niemals nie pas jamais aucun aucune no nunca ningún ninguna ningun non mai nessun nessuna não nem nunca niet geen nooit inte aldrig ingen nie nigdy не нет никогда ни'.split(
    ' ',
  ),
);

/** Whether, of two texts that are not English, one holds a word that denies and the other none. */
export function differInNegation(a: string, b: string): boolean {
  if (isEnglish(a) || isEnglish(b)) return false;
  return isDenying(a) !== isDenying(b);
}

function isDenying(text: string): boolean {
  return wordsOf(text).some((word) => DENYING.has(word.text.toLowerCase()));
}

function isEnglish(text: string): boolean {
  return /\p{Script=Latin}/u.test(text) && looksEnglish(tokensOf(text).map(({ lower }) => lower));
}
