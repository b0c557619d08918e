import { hasVerb, leaning } from '../text/index.ts';
import type { SelectedPoint } from './compose-input.ts';

/** Words that tie a sentence to the one before it and can go without it; "otherwise" and "because of this" cannot. */
const BEFORE_COMMA =
  /^(?:however|nevertheless|nonetheless|meanwhile|moreover|furthermore|additionally|in addition|besides|also|similarly|likewise|conversely|by contrast|in contrast|on the other hand|on the contrary|instead|therefore|thus|hence|consequently|accordingly|as a result|in turn|in fact|in other words|for example|for instance|that said|after all|even so|at the same time|still|yet|then|so|and|but),\s+/iu;
const BARE =
  /^(?:(?:but|and) (?!(?:for|not|rather|yet|so|only|as)\b)|so (?=(?:the|a|an|we|they|it|he|she|i|you|this|these|our|their|its|there|no|all)\b))/iu;
/** Fewer words than this are no full sentence. */
const MIN_WORDS = 3;

/** A text without an opening that points to the sentence before it, where what remains is a full sentence. */
export function withoutConnective(text: string): string {
  const rest = text.replace(BEFORE_COMMA, '');
  const left = rest === text ? text.replace(BARE, '') : rest;
  return left.split(' ').length >= MIN_WORDS && hasVerb(left, true) ? left : text;
}

/** Whether a point leans on what stands before it; and whether it still does without its opening connective. */
export function leanOf({ text, selfContained = 1 }: Pick<SelectedPoint, 'text' | 'selfContained'>): {
  readonly leans: boolean;
  readonly isLost: boolean;
} {
  if (selfContained >= 1) return { leans: false, isLost: false };
  const opensOn = (words: string) => leaning(words, { english: true, lower: false }) !== 'none';
  return { leans: opensOn(text), isLost: opensOn(withoutConnective(text)) };
}
