import { keyOf } from '../../summary/contradiction/vocabulary.ts';
import { type NameWord, nameWords } from '../../summary/verify/name-words.ts';

/** Words between two names that make them equals: what is said holds of both. */
const BOTH = /^(?:and|or|with|between|both|vs|versus|like|plus|alongside|along|besides|beside|near|including)$/u;

/**
 * Whether two sentences name the same two in turn, with the same word of more than three letters between them: "Pfizer sued Moderna" and "Moderna sued Pfizer", but
 * not "Moderna was sued by Pfizer".
 */
export function haveSwappedRoles(a: string, b: string): boolean {
  const [left, right] = [nameWords(a), nameWords(b)];
  const names = new Set(left.filter(isName).map(({ folded }) => folded));
  const [inLeft, inRight] = [placesOf(left, names), placesOf(right, names)];
  return [...names].some((first) =>
    [...names].some((second) => {
      const [l1, l2, r1, r2] = [inLeft.get(first), inLeft.get(second), inRight.get(first), inRight.get(second)];
      if (l1 === undefined || l2 === undefined || r1 === undefined || r2 === undefined) return false;
      if (first === second || l1 > l2 || r1 < r2) return false;
      return sayTheSame(left.slice(l1 + 1, l2), right.slice(r2 + 1, r1));
    }),
  );
}

function isName({ kind }: NameWord): boolean {
  return kind !== 'plain';
}

/** Where each name stands; names that come twice stand nowhere. */
function placesOf(words: readonly NameWord[], names: ReadonlySet<string>): Map<string, number> {
  const places = new Map<string, number>();
  const repeated = new Set<string>();
  words.forEach(({ folded }, place) => {
    if (!names.has(folded)) return;
    if (places.has(folded)) repeated.add(folded);
    places.set(folded, place);
  });
  for (const name of repeated) places.delete(name);
  return places;
}

/** Words between subject and object: more may be of something else. */
const NEAR = 4;

/** Whether a verb stands between both pairs, the same and the same way round. */
function sayTheSame(a: readonly NameWord[], b: readonly NameWord[]): boolean {
  if (a.length > NEAR || b.length > NEAR || !a.every(({ adjoins }) => adjoins) || !b.every(({ adjoins }) => adjoins)) {
    return false;
  }
  if ([...a, ...b].some(({ folded }) => BOTH.test(folded))) return false;
  if (a.some(isPassive) !== b.some(isPassive)) return false;
  const keys = new Set(a.filter(({ kind }) => kind === 'plain').map(({ folded }) => keyOf(folded)));
  return b.some(({ folded, kind }) => kind === 'plain' && folded.length > 3 && keys.has(keyOf(folded)));
}

function isPassive({ folded }: NameWord): boolean {
  return folded === 'by';
}
