import { tokensOf } from '../../summary/contradiction/tokens.ts';
import { FUNCTION_WORDS, keyOf, looksEnglish } from '../../summary/contradiction/vocabulary.ts';
import { clausesOf } from '../../summary/verify/polarity.ts';

/** Opposites that a digest does not look for between its documents, where they are rarely said of the same. */
const OPPOSITES = ['profit / loss', 'earn / lose', 'defend / criticise criticize oppose', 'hire / fire dismiss'].map(
  (line) => line.split(' / ').map((side) => new Set(side.split(' ').map(keyOf))),
);
/** Words on each side that opposed words are beside. */
const REACH = 2;

/**
 * Whether two English sentences, of which neither denies, say opposite things of the same: each has a word that is the opposite
 * of one that the other has, and both stand beside a word that the sentences share.
 */
export function areOpposed(a: string, b: string): boolean {
  const [left, right] = [keysOf(a), keysOf(b)];
  if (left === null || right === null) return false;
  const [inLeft, inRight] = [new Set(left), new Set(right)];
  return left.some((key, at) => {
    if (inRight.has(key)) return false;
    const isTurned = (other: string, there: number) =>
      !inLeft.has(other) && isOpposite(key, other) && shareNeighbour(around(left, at), around(right, there));
    return right.some(isTurned);
  });
}

/** Stems of the content words in order; null where the sentence is not English, or denies something. */
function keysOf(sentence: string): string[] | null {
  const tokens = tokensOf(sentence);
  if (!looksEnglish(tokens.map(({ lower }) => lower))) return null;
  if (clausesOf(sentence)?.some(({ denies }) => denies) !== false) return null;
  return tokens
    .filter(({ lower, kind }) => kind !== 'symbol' && !FUNCTION_WORDS.has(lower))
    .map(({ lower, kind }) => (kind === 'word' ? keyOf(lower) : lower));
}

function isOpposite(a: string, b: string): boolean {
  return OPPOSITES.some(([left, right]) => (left.has(a) && right.has(b)) || (right.has(a) && left.has(b)));
}

function around(keys: readonly string[], at: number): string[] {
  return [...keys.slice(Math.max(0, at - REACH), at), ...keys.slice(at + 1, at + 1 + REACH)];
}

function shareNeighbour(a: readonly string[], b: readonly string[]): boolean {
  return a.some((key) => b.includes(key));
}
