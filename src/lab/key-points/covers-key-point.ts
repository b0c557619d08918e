import { agreementOfFacts, bearsFacts, wholePassage } from '../../evaluation/index.ts';
import { contentStems, wordSet } from '../../selection/index.ts';
import { numbersIn, unsupportedNames, unsupportedNumbers } from '../../summary/index.ts';

/** Content words that two statements must share for a share of them to tell anything. */
const ENOUGH = 3;
/**
 * Least shares of the content words of two statements that are in the other, where they have enough in common: of the one
 * that has more of its own there, and of the other. Below the first most of both is something else, and below the second one
 * says so much more that it would be lost.
 */
const [MOSTLY, LEAST] = [1 / 2, 1 / 3];
/**
 * Both shares, where they have less: a single word is then all that both have, and of two words each has one more at most.
 * At a half, "Bread is dear" would be "Bread is cheap".
 */
const NEARLY_ALL = 2 / 3;

/**
 * Whether a point is told where a statement takes its place, as far as words tell: they are about the same, the point's
 * numbers, dates and names are those of the statement, and neither denies the other. A point without numbers may be told by
 * a statement that has some, as one without names may be; other points say whether they are right.
 */
export function coversKeyPoint(point: string, statement: string): boolean {
  if (point.trim() === statement.trim()) return true;
  return isAboutTheSame(point, statement) && isOfTheSameFacts(point, statement);
}

function isAboutTheSame(point: string, statement: string): boolean {
  const [own, others] = [contentWords(point, statement), contentWords(statement, point)];
  const shared = [...own].filter((word) => others.has(word)).length;
  if (shared === 0) return false;
  const shares = [shared / own.size, shared / others.size];
  if (shared < ENOUGH) return shares.every((share) => share >= NEARLY_ALL);
  return Math.max(...shares) >= MOSTLY && Math.min(...shares) >= LEAST;
}

/** Words of numbers too, where the other has them: whether the numbers are the same is not for words to tell. */
function contentWords(text: string, other: string): Set<string> {
  const ofNumbers = wordSet(
    numbersIn(text)
      .map((number) => number.text)
      .join(' '),
  );
  const known = wordSet(other);
  return new Set([...contentStems(text)].filter((word) => !ofNumbers.has(word) || known.has(word)));
}

function isOfTheSameFacts(point: string, statement: string): boolean {
  if (!bearsFacts(point, wholePassage(statement))) return false;
  // The point has no fact that the statement lacks; so what else makes them disagree is that one denies the other.
  if (agreementOfFacts(statement, wholePassage(point)) < 1) return false;
  const names = (text: string, quotes: readonly string[]): string[] => unsupportedNames({ text, quotes });
  if (numbersIn(point).length > 0 && unsupportedNumbers(statement, [point]).length > 0) return false;
  if (names(point, []).length > 0 && names(statement, [point]).length > 0) return false;
  return !haveOtherOrdinals(point, statement);
}

/** "In the first year" and "in the second year", which need no support as numbers. */
function haveOtherOrdinals(a: string, b: string): boolean {
  const [own, others] = [a, b].map((text) => new Set(numbersIn(text).flatMap((each) => (each.weak ? fold(each) : []))));
  return [...own].some((word) => !others.has(word)) && [...others].some((word) => !own.has(word));
}

function fold({ text }: { readonly text: string }): string {
  return text.toLowerCase();
}
