import { sentences } from '../../documents/sentences.ts';

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
  const spans = sentences(text);
  const read = spans.map(({ start, end }) => text.slice(start, end));
  return spans.flatMap(({ start, end }, i) => {
    const alone: Passage = { text: read[i], sentences: [read[i]] };
    const next = spans[i + 1];
    if (next === undefined || next.start < end) return [alone];
    return [alone, { text: text.slice(start, next.end), sentences: [read[i], read[i + 1]] }];
  });
}

/**
 * The place to show of several that do: the first of a single sentence, else the first; null without any. What one
 * sentence says is shown without its neighbour.
 */
export function shownOf(places: readonly number[], passages: readonly Passage[]): number | null {
  return places.find((place) => passages[place].sentences.length === 1) ?? places[0] ?? null;
}
