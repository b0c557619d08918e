import { sentences } from '../../text/documents/sentences.ts';
import { wordRecall } from '../../selection/kernel/word-recall.ts';
import { contradict } from '../../summary/contradiction.ts';
import { unsupportedNames } from '../../summary/verify/names.ts';
import { unsupportedNumbers } from '../../summary/verify/numbers.ts';
import { differInNegation } from './foreign-negation.ts';
import type { Passage } from './passage.ts';
import { haveSwappedRoles } from './swapped-roles.ts';

/**
 * What a match is worth where each text has a number, or date, that the other lacks: half of it is not told. On SummHay's
 * judgements factors of 0.5 to 0.7 do equally well.
 */
const OTHER_NUMBERS = 0.5;
const OTHER_NAMES = 0.8;
/** Where one denies what the other states, nothing is covered whatever the words. */
const DENIED = 0.1;

const MONTHS =
  /\b(?:January|February|March|April|May|June|July|August|September|October|November|December|Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday)\b/gu;

/** What is left of a match after numbers, dates, names, roles and negation that differ, in (0, 1]. */
export function agreementOfFacts(reference: string, { text }: Passage): number {
  let factor = 1;
  if (differ(reference, text, unsupportedNumbers) || differ(reference, text, otherMonths)) factor *= OTHER_NUMBERS;
  if (differ(reference, text, (each, quotes) => unsupportedNames({ text: each, quotes }))) factor *= OTHER_NAMES;
  if (denies(reference, text)) factor *= DENIED;
  return factor;
}

/** Whether each of two texts has what the other lacks; what is only left out is no difference. */
function differ(a: string, b: string, lacking: (text: string, quotes: readonly string[]) => string[]): boolean {
  if (a.includes(b) || b.includes(a)) return false;
  return lacking(a, [b]).length > 0 && lacking(b, [a]).length > 0;
}

function otherMonths(text: string, [quote]: readonly string[]): string[] {
  const known = new Set(quote.match(MONTHS));
  return (text.match(MONTHS) ?? []).filter((month) => !known.has(month));
}

/**
 * Whether a passage bears every number and name of a claim, and does not deny it. Of several sentences one has to bear them
 * all, or none may name what the claim does not: "The Berlin office hired staff. The Munich office closed." bears nothing of
 * Berlin's closing.
 */
export function bearsFacts(claim: string, { text, sentences: parts }: Passage): boolean {
  const isThere = text.includes(claim);
  if (!isThere && !supports(claim, text)) return false;
  const isTogether =
    isThere ||
    parts.length < 2 ||
    parts.some((part) => supports(claim, part)) ||
    parts.every((part) => namesBeside(part, claim).length === 0);
  return isTogether && !denies(claim, text);
}

/** Names in a text that a claim does not name. */
function namesBeside(text: string, claim: string): string[] {
  return unsupportedNames({ text, quotes: [claim] }).filter((name) => name.match(MONTHS) === null);
}

function supports(claim: string, text: string): boolean {
  return (
    unsupportedNumbers(claim, [text]).length === 0 &&
    otherMonths(claim, [text]).length === 0 &&
    unsupportedNames({ text: claim, quotes: [text] }).length === 0
  );
}

/** Whether one text denies another, or turns it around; none denies itself, however tangled it is. */
function denies(a: string, b: string): boolean {
  // What else a text says does not make up for the sentence that is about the same.
  const near = nearest(a, b);
  if (a.trim() === near.trim()) return false;
  return contradict(a, near) || haveSwappedRoles(a, near) || differInNegation(a, near);
}

/** The sentence of a text that shares most words with another text. */
function nearest(claim: string, text: string): string {
  const parts = sentences(text).map(({ start, end }) => text.slice(start, end));
  if (parts.length < 2) return text;
  const shared = parts.map((part) => wordRecall(claim, [part], () => 1));
  return parts[shared.indexOf(Math.max(...shared))];
}
