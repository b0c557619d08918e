import { unsupportedNames, unsupportedNumbers } from '../../summary/index.ts';
import { beginning, type Span, sentences, wordSet } from '../../text/index.ts';
import { denials } from './denials.ts';

export interface Passage {
  readonly text: string;
  readonly sentences: readonly string[];
}

export function wholePassage(text: string): Passage {
  return { text, sentences: text.trim() === '' ? [] : [text] };
}

/** The sentences of a text, and each joined with the next: a claim may draw on two. */
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

/** Maximum length of a sentence in UTF-16 units; longer ones are not prose and slow to compare. */
const LONGEST = 2000;

function cut(text: string, { start, end }: Span): Span[] {
  const parts: Span[] = [];
  for (let from = start; from < end; ) {
    const to = from + beginning(text.slice(from, end), LONGEST).length;
    parts.push({ start: from, end: to });
    from = to;
  }
  return parts;
}

/** A single sentence within this distance of the best score is shown instead. */
const NEARLY = 0.05;

/** The place to show, in order of score: the first single sentence that scores nearly as high, else the best; null without any. */
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

/** Places of the passages with a positive score, best first; one place if none has. Ties are broken by text, never by position. */
export function ranked(scores: ArrayLike<number>, texts: readonly string[]): number[] {
  const positive = Array.from(scores, (_, place) => place).filter((place) => scores[place] > 0);
  if (positive.length > 0) return positive.sort((a, b) => scores[b] - scores[a] || byText(texts[a], texts[b]));
  return texts.length === 0 ? [] : [texts.reduce((first, text, place) => (text < texts[first] ? place : first), 0)];
}

/** Factor if each text has a number or date that the other lacks. On SummHay's judgements 0.5 to 0.7 do equally well. */
const OTHER_NUMBERS = 0.5;
const OTHER_NAMES = 0.8;
/** Factor if one text denies what the other states, whatever the words. */
const DENIED = 0.1;
const MONTHS =
  /\b(?:January|February|March|April|May|June|July|August|September|October|November|December|Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday)\b/gu;

/** Factor for numbers, dates, names and polarity that differ, in (0, 1]. */
export function agreementOfFacts(reference: string, { text }: Passage): number {
  let factor = 1;
  if (differ(reference, text, unsupportedNumbers) || differ(reference, text, otherMonths)) factor *= OTHER_NUMBERS;
  if (differ(reference, text, (each, quotes) => unsupportedNames({ text: each, quotes }))) factor *= OTHER_NAMES;
  if (denies(reference, text)) factor *= DENIED;
  return factor;
}

/** Whether each of two texts has something that the other lacks; an omission alone is no difference. */
function differ(a: string, b: string, unsupported: (text: string, quotes: readonly string[]) => string[]): boolean {
  if (a.includes(b) || b.includes(a)) return false;
  return unsupported(a, [b]).length > 0 && unsupported(b, [a]).length > 0;
}

function otherMonths(text: string, [quote]: readonly string[]): string[] {
  const known = new Set(quote.match(MONTHS));
  return (text.match(MONTHS) ?? []).filter((month) => !known.has(month));
}

/**
 * Whether a passage supports all numbers and names of a claim and does not deny it. Of several sentences one must
 * support them all, or none may name anything else: "The Berlin office hired staff. The Munich office closed." does not
 * support Berlin's closing.
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

/** Share of a claim's words above which a difference in polarity counts. */
const SAME_MATTER = 0.7;

/** Start of a clause on another subject: "its shifts became harder, because returns did not become fewer". */
const CLAUSE = /[,;]?(?<!\s)\s+(?=(?:although|because|but|since|though|whereas|while)\s)/i;

/**
 * Whether the nearest sentence, and in it the nearest clause, differs from a claim by an odd number of denying words.
 * Never for questions, which either answer may follow.
 */
function denies(claim: string, text: string): boolean {
  if (claim.includes('?')) return false;
  const words = wordSet(claim);
  const parts = sentences(text).map(({ start, end }) => text.slice(start, end));
  const { part, shared } = nearest(words, parts);
  if (words.size === 0 || shared / words.size < SAME_MATTER) return false;
  return denials(claim) % 2 !== denials(nearest(words, part.split(CLAUSE)).part) % 2;
}

/** The first part that holds most of some words, and how many it holds. */
function nearest(words: ReadonlySet<string>, parts: readonly string[]): { part: string; shared: number } {
  return parts
    .map((part) => ({ part, shared: [...wordSet(part)].filter((word) => words.has(word)).length }))
    .reduce((best, each) => (each.shared > best.shared ? each : best), { part: parts[0] ?? '', shared: 0 });
}

export function byText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
