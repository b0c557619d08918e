import { beginning, type Span } from './document.ts';
import type { Sentence } from './sentences.ts';

/** Sentences before and after that a reader is shown with a quote: what "it" and "the quake" mean mostly stands before. */
const REACH = { before: 6, after: 2 };
/** UTF-16 units that are shown on either side at most. */
const MAX = 1000;

/** UTF-16 units of a beginning that are shown at most. */
const MAX_OPENING_LENGTH = 480;

/** How a text begins: whole sentences, as many as say briefly what it is about; the first, cut, where that is long. */
export function openingOf(text: string, [first, ...more]: readonly Sentence[]): string {
  if (first === undefined) return '';
  const last = more.findLast(({ end }) => end - first.start <= MAX_OPENING_LENGTH) ?? first;
  return beginning(text.slice(first.start, last.end), MAX_OPENING_LENGTH);
}

/** UTF-16 units of an earlier sentence that are shown at most. */
const MAX_EARLIER_LENGTH = 240;

/**
 * The nearest sentence before a place of a text that holds one of some words, from its beginning; nothing where that is too
 * long to show the word.
 *
 * @param sentences those of the text, in order
 */
export function earlierSentence(
  text: string,
  words: readonly string[],
  place: number,
  sentences: readonly Sentence[],
): string | undefined {
  const before = text.slice(0, place);
  const at = Math.max(-1, ...words.map((word) => before.lastIndexOf(word)));
  const sentence = sentences.findLast(({ start, end }) => start <= at && at < end);
  if (sentence === undefined) return undefined;
  const shown = beginning(text.slice(sentence.start, sentence.end), MAX_EARLIER_LENGTH);
  return words.some((word) => shown.includes(word)) ? shown : undefined;
}

/**
 * A stretch of a text with the sentences around it.
 *
 * @param sentences those of the text, in order
 * @returns the text before it and after it, each without white space at its far end
 */
export function surroundingText(
  text: string,
  { start, end }: Span,
  sentences: readonly Sentence[],
): { readonly before: string; readonly after: string } {
  const earlier = sentences.filter((sentence) => sentence.end <= start).slice(-REACH.before);
  const later = sentences.filter((sentence) => sentence.start >= end).slice(0, REACH.after);
  const within = sentences.filter((sentence) => sentence.start < end && start < sentence.end);
  const from = Math.max(start - MAX, Math.min(start, earlier[0]?.start ?? start, within[0]?.start ?? start));
  const to = Math.min(end + MAX, Math.max(end, later.at(-1)?.end ?? end, within.at(-1)?.end ?? end));
  // What is cut goes back to the last whole word, where there is one.
  const isCut = { before: from === start - MAX && from > 0, after: to === end + MAX && to < text.length };
  const before = text.slice(from, start).replace(isCut.before ? /^(?:\S{1,40}(?=\s)|[\udc00-\udfff])/ : '', '');
  const after = text.slice(end, to).replace(isCut.after ? /(?:(?<=\s)\S{1,40}|[\ud800-\udbff])$/ : '', '');
  return { before: before.trimStart(), after: after.trimEnd() };
}
