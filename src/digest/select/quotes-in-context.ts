import { STOP_WORDS } from '../../selection/index.ts';
import type { SelectedPoint } from '../../summary/index.ts';
import { earlierSentence, openingOf, sentences, surroundingText } from '../../text/index.ts';
import type { Point } from '../extract/points.ts';
import type { ReadDocument } from '../extract/read-documents.ts';

/**
 * Tells the quotes of points with what stands around them, how their document begins where none of that reaches back so far, and the
 * nearest sentence before that names what their wording does and all that does not: what a judge is shown.
 */
export function quotesInContext(
  documents: readonly ReadDocument[],
): (point: Point) => Pick<SelectedPoint, 'inContext' | 'opening' | 'earlier'> {
  const known = new Map<number, ReturnType<typeof sentences>>();
  return ({ documentIndex, text: wording, speaker = '', quote, moreQuotes }) => {
    const { text, title = '' } = documents[documentIndex].document;
    const all = known.get(documentIndex) ?? sentences(text);
    known.set(documentIndex, all);
    const quotes = [quote, ...moreQuotes];
    const inContext = quotes.map((each) => ({ text: each.text, ...surroundingText(text, each, all) }));
    const from = Math.min(...inContext.map(({ before }, q) => quotes[q].start - before.length));
    const opening = from <= (all[0]?.start ?? 0) ? undefined : openingOf(text, all);
    const around = inContext.map(({ before, text: own, after }) => before + own + after);
    const shown = wordsOf([title, speaker, opening ?? '', ...around].join(' ').toLowerCase());
    const isMissing = (word: string): boolean => !shown.has(word.toLowerCase()) && !STOP_WORDS.has(word.toLowerCase());
    const missing = [...wordsOf(wording)].filter((word) => NAMING.test(word) && isMissing(word));
    return { inContext, opening, earlier: earlierSentence(text, missing, from, all) };
  };
}

/** A word that may be a name, or part of a date. */
const NAMING = /^(?:\p{Lu}\p{L}{2,}|\d{2,})/u;

function wordsOf(text: string): Set<string> {
  return new Set(text.match(/[\p{L}\p{N}]+/gu));
}
