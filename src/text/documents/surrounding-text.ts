import { firstAtLeast } from '../lists.ts';
import { beginning, type Span } from './document.ts';
import type { Sentence } from './sentences.ts';

/** Number of sentences shown before and after a quote; the antecedent of a pronoun usually comes before. */
const REACH = { before: 6, after: 2 };
/** Maximum length of either side, in UTF-16 units. */
const MAX = 1000;

const MAX_OPENING_LENGTH = 480;

/** The first sentences of a text that together are short; a long first sentence is cut. */
export function openingOf(text: string, sentences: readonly Sentence[]): string {
  const [first] = sentences;
  if (first === undefined) return '';
  const last = sentences[endingBy(sentences, first.start + MAX_OPENING_LENGTH) - 1] ?? first;
  return beginning(text.slice(first.start, last.end), MAX_OPENING_LENGTH);
}

const MAX_EARLIER_LENGTH = 240;

/** The nearest earlier sentence that contains one of the words; undefined if the excerpt would be too long. */
export function earlierSentence(
  text: string,
  words: readonly string[],
  place: number,
  sentences: readonly Sentence[],
): string | undefined {
  const before = text.slice(0, place);
  const at = Math.max(-1, ...words.map((word) => before.lastIndexOf(word)));
  const sentence = sentences[endingBy(sentences, at)];
  if (sentence === undefined || at < sentence.start) return undefined;
  const shown = beginning(text.slice(sentence.start, sentence.end), MAX_EARLIER_LENGTH);
  return words.some((word) => shown.includes(word)) ? shown : undefined;
}

/** The whole sentences around a span, trimmed at the far ends. */
export function surroundingText(
  text: string,
  { start, end }: Span,
  sentences: readonly Sentence[],
): { readonly before: string; readonly after: string } {
  const first = endingBy(sentences, start);
  const earlier = sentences[Math.max(0, first - REACH.before)];
  const last = endingBy(sentences, end - 1);
  const isLastWithin = sentences[last] !== undefined && sentences[last].start < end;
  const later = sentences[Math.min(sentences.length, last + (isLastWithin ? 1 : 0) + REACH.after) - 1];
  const from = Math.max(start - MAX, Math.min(start, earlier?.start ?? start));
  const to = Math.min(end + MAX, Math.max(end, later?.end ?? end));
  const isCut = { before: from === start - MAX && from > 0, after: to === end + MAX && to < text.length };
  const before = text.slice(from, start).replace(isCut.before ? /^(?:\S{1,40}(?=\s)|[\udc00-\udfff])/ : '', '');
  const after = text.slice(end, to).replace(isCut.after ? /(?:(?<=\s)\S{1,40}|[\ud800-\udbff])$/ : '', '');
  return { before: before.trimStart(), after: after.trimEnd() };
}

/** How many of some sentences end at a place or before it. */
function endingBy(sentences: readonly Sentence[], place: number): number {
  return firstAtLeast(sentences, place + 1, ({ end }) => end);
}
