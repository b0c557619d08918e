import { type Claim, textsOf } from './claim.ts';
import { unsupportedNames } from './names.ts';
import { unsupportedNumbers } from './numbers.ts';

/**
 * Numbers and names of a claim that stand nowhere in its passages: no proof that it is wrong, a reason to look again
 * (docs/support.md).
 */
export function alarmsOf({ text, passages }: Claim): string[] {
  const texts = passages.flatMap(textsOf);
  return [...new Set([...unsupportedNumbers(text, texts), ...unsupportedNames({ text, quotes: texts })])];
}
