import { type Span, sentences } from '../../text/index.ts';

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
