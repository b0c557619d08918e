import { sentences } from '../documents/sentences.ts';
import { surroundingText } from '../documents/surrounding-text.ts';
import type { Passage } from '../summary/verify/claim.ts';
import type { Point } from './points.ts';
import type { ReadDocument } from './read-documents.ts';

/** Tells the quotes of points with what stands around them, as a judge is shown them. */
export function quotesInContext(documents: readonly ReadDocument[]): (point: Point) => Passage['quotes'] {
  const known = new Map<number, ReturnType<typeof sentences>>();
  return ({ documentIndex, quote, moreQuotes }) => {
    const { text } = documents[documentIndex].document;
    const all = known.get(documentIndex) ?? sentences(text);
    known.set(documentIndex, all);
    return [quote, ...moreQuotes].map((each) => ({ text: each.text, ...surroundingText(text, each, all) }));
  };
}
