import { sentences } from '../documents/sentences.ts';
import { openingOf, surroundingText } from '../documents/surrounding-text.ts';
import type { SelectedPoint } from '../summary/summary.ts';
import type { Point } from './points.ts';
import type { ReadDocument } from './read-documents.ts';

/** Tells the quotes of points with what stands around them, and how their document begins where none of that reaches back so far: what a judge is shown. */
export function quotesInContext(
  documents: readonly ReadDocument[],
): (point: Point) => Pick<SelectedPoint, 'inContext' | 'opening'> {
  const known = new Map<number, ReturnType<typeof sentences>>();
  return ({ documentIndex, quote, moreQuotes }) => {
    const { text } = documents[documentIndex].document;
    const all = known.get(documentIndex) ?? sentences(text);
    known.set(documentIndex, all);
    const quotes = [quote, ...moreQuotes];
    const inContext = quotes.map((each) => ({ text: each.text, ...surroundingText(text, each, all) }));
    const first = all[0]?.start ?? 0;
    const isShown = inContext.some(({ before }, q) => quotes[q].start - before.length <= first);
    return { inContext, opening: isShown ? undefined : openingOf(text, all) };
  };
}
