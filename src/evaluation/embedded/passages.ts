import { wordRecall, wordsOf } from '../../selection/index.ts';
import {
  contradict,
  keyOf,
  looksEnglish,
  type NameWord,
  nameWords,
  tokensOf,
  unsupportedNames,
  unsupportedNumbers,
} from '../../summary/index.ts';
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
 * Places of the passages that tell anything, from the best score on; where none does, one place. Among equals what they say
 * decides, never where they stand.
 */
export function ranked(scores: ArrayLike<number>, texts: readonly string[]): number[] {
  const positive = Array.from(scores, (_, place) => place).filter((place) => scores[place] > 0);
  if (positive.length > 0) return positive.sort((a, b) => scores[b] - scores[a] || byText(texts[a], texts[b]));
  return texts.length === 0 ? [] : [texts.reduce((first, text, place) => (text < texts[first] ? place : first), 0)];
}

/** Words between two names that make them equals: what is said holds of both. */
const BOTH = /^(?:and|or|with|between|both|vs|versus|like|plus|alongside|along|besides|beside|near|including)$/u;

/**
 * Whether two sentences name the same two in turn, with the same word of more than three letters between them: "Pfizer sued Moderna" and "Moderna sued Pfizer", but
 * not "Moderna was sued by Pfizer".
 */
function haveSwappedRoles(a: string, b: string): boolean {
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

/** Words that deny in German, French, Spanish, Italian, Portuguese, Dutch, Swedish, Polish and Russian. */
const DENYING = new Set(
  'nicht kein keine keinen keinem keiner keines niemals nie pas jamais aucun aucune no nunca ningún ninguna ningun non mai nessun nessuna não nem nunca niet geen nooit inte aldrig ingen nie nigdy не нет никогда ни'.split(
    ' ',
  ),
);

/** Whether, of two texts that are not English, one holds a word that denies and the other none. */
function differInNegation(a: string, b: string): boolean {
  if (isEnglish(a) || isEnglish(b)) return false;
  return isDenying(a) !== isDenying(b);
}

function isDenying(text: string): boolean {
  return wordsOf(text).some((word) => DENYING.has(word.text.toLowerCase()));
}

function isEnglish(text: string): boolean {
  return /\p{Script=Latin}/u.test(text) && looksEnglish(tokensOf(text).map(({ lower }) => lower));
}

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

/** Order of texts that does not depend on where they stand. */
export function byText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
