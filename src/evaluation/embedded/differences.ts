import { unsupportedNames } from '../../summary/verify/names.ts';
import { contradictsQuotes } from '../../summary/verify/negation.ts';
import { unsupportedNumbers } from '../../summary/verify/numbers.ts';

/**
 * What a match is worth where each text has a number, or date, that the other lacks: half of it is not told. On SummHay's
 * judgements factors of 0.5 to 0.7 do equally well.
 */
const OTHER_NUMBERS = 0.5;
const OTHER_NAMES = 0.8;
/** Where one denies what the other states, nothing is covered whatever the words. */
const DENIED = 0.1;

/** What is left of a match after numbers, dates, names and negation that differ, in (0, 1]. */
export function agreementOfFacts(reference: string, candidate: string): number {
  let factor = 1;
  if (differ(reference, candidate, unsupportedNumbers)) factor *= OTHER_NUMBERS;
  if (differ(reference, candidate, (text, quotes) => unsupportedNames({ text, quotes }))) factor *= OTHER_NAMES;
  if (denies(reference, candidate)) factor *= DENIED;
  return factor;
}

/** Whether each of two texts has what the other lacks; what is only left out is no difference. */
function differ(a: string, b: string, lacking: (text: string, quotes: readonly string[]) => string[]): boolean {
  if (a.includes(b) || b.includes(a)) return false;
  return lacking(a, [b]).length > 0 && lacking(b, [a]).length > 0;
}

/** Whether every number and name of a claim stands in a text, and the text does not deny it. */
export function bearsFacts(claim: string, text: string): boolean {
  const isBorne =
    text.includes(claim) ||
    (unsupportedNumbers(claim, [text]).length === 0 && unsupportedNames({ text: claim, quotes: [text] }).length === 0);
  return isBorne && !denies(claim, text);
}

/** Whether one text denies another; none denies itself, however tangled it is. */
function denies(a: string, b: string): boolean {
  return a.trim() !== b.trim() && contradictsQuotes(a, [b]);
}
