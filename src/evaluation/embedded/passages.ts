import { wordRecall } from '../../selection/index.ts';
import { denials, unsupportedNames, unsupportedNumbers } from '../../summary/index.ts';
import type { Span } from '../../text/index.ts';
import { sentences } from '../../text/index.ts';

/** A stretch of a text that something is looked for in. */
export interface Passage {
  /** As it stands in the text. */
  readonly text: string;
  /** Its sentences: what is encoded. */
  readonly sentences: readonly string[];
}

/** A text that is looked at as a whole, as a bullet is. */
export function wholePassage(text: string): Passage {
  return { text, sentences: text.trim() === '' ? [] : [text] };
}

/** The sentences of a text, and each with the one after it: a claim may draw on two. */
export function passagesOf(text: string): Passage[] {
  const spans = sentences(text).flatMap((span) => cut(text, span));
  const read = spans.map(({ start, end }) => text.slice(start, end));
  return spans.flatMap(({ start }, i) => {
    const alone: Passage = { text: read[i], sentences: [read[i]] };
    const next = spans[i + 1];
    if (next === undefined) return [alone];
    return [alone, { text: text.slice(start, next.end), sentences: [read[i], read[i + 1]] }];
  });
}

/** UTF-16 units of a passage's sentence: what runs on for longer is no sentence, and slow to compare. */
const LONGEST = 2000;

function cut(text: string, { start, end }: Span): Span[] {
  const parts: Span[] = [];
  for (let from = start; from < end; ) {
    const most = Math.min(end, from + LONGEST);
    const to = most < end && /[\ud800-\udbff]/.test(text.charAt(most - 1)) ? most - 1 : most;
    parts.push({ start: from, end: to });
    from = to;
  }
  return parts;
}

/** So much less may a single sentence score than the best passage, and be shown in its place. */
const NEARLY = 0.05;

/**
 * The place to show of several that do, from the best on: the first of a single sentence that tells nearly as much, else the
 * best; null without any. What one sentence says is shown without its neighbour.
 */
export function shownOf(
  places: readonly number[],
  passages: readonly Passage[],
  scores: ArrayLike<number>,
): number | null {
  const [best] = places;
  if (best === undefined) return null;
  const isAlone = (place: number) => passages[place].sentences.length === 1;
  return places.find((place) => isAlone(place) && scores[place] >= scores[best] - NEARLY) ?? best;
}

/**
 * Places of the passages that tell anything, from the best score on; if none does, one place. Among equals what they say
 * decides, never where they stand.
 */
export function ranked(scores: ArrayLike<number>, texts: readonly string[]): number[] {
  const positive = Array.from(scores, (_, place) => place).filter((place) => scores[place] > 0);
  if (positive.length > 0) return positive.sort((a, b) => scores[b] - scores[a] || byText(texts[a], texts[b]));
  return texts.length === 0 ? [] : [texts.reduce((first, text, place) => (text < texts[first] ? place : first), 0)];
}

/**
 * What a match is worth where each text has a number, or date, that the other lacks: half of it is not told. On SummHay's
 * judgements factors of 0.5 to 0.7 do equally well.
 */
const OTHER_NUMBERS = 0.5;
const OTHER_NAMES = 0.8;
/** If one denies what the other states, nothing is covered whatever the words. */
const DENIED = 0.1;
const MONTHS =
  /\b(?:January|February|March|April|May|June|July|August|September|October|November|December|Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday)\b/gu;

/** What is left of a match after numbers, dates, names and polarity that differ, in (0, 1]. */
export function agreementOfFacts(reference: string, { text }: Passage): number {
  let factor = 1;
  if (differ(reference, text, unsupportedNumbers) || differ(reference, text, otherMonths)) factor *= OTHER_NUMBERS;
  if (differ(reference, text, (each, quotes) => unsupportedNames({ text: each, quotes }))) factor *= OTHER_NAMES;
  if (denies(reference, text)) factor *= DENIED;
  return factor;
}

/** Whether each of two texts has what the other lacks; what is only left out is no difference. */
function differ(a: string, b: string, unsupported: (text: string, quotes: readonly string[]) => string[]): boolean {
  if (a.includes(b) || b.includes(a)) return false;
  return unsupported(a, [b]).length > 0 && unsupported(b, [a]).length > 0;
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

/** Share of a claim's words from which a sentence is about the same, so that a difference in polarity counts. */
const SAME_MATTER = 0.7;

/** Where a clause of another matter begins: "its shifts became harder, because returns did not become fewer". */
const CLAUSE = /[,;]?\s+(?=(?:although|because|but|since|though|whereas|while)\s)/i;

/**
 * Whether the sentence of a text that is nearest to a claim says the same with an odd number of denying words more or less; of its
 * clauses the nearest one counts. Never for questions, whose answer may be either.
 */
function denies(claim: string, text: string): boolean {
  if (claim.includes('?')) return false;
  const parts = sentences(text).map(({ start, end }) => text.slice(start, end));
  const sentence = nearest(claim, parts);
  if (sharedWords(claim, sentence) < SAME_MATTER) return false;
  return denials(claim) % 2 !== denials(nearest(claim, sentence.split(CLAUSE))) % 2;
}

function nearest(claim: string, parts: readonly string[]): string {
  const shared = parts.map((part) => sharedWords(claim, part));
  return parts[shared.indexOf(Math.max(...shared))];
}

/** Share of a claim's words that a text has. */
function sharedWords(claim: string, text: string): number {
  return wordRecall(claim, [text], () => 1);
}

/** Order of texts that does not depend on where they stand. */
export function byText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
