import type { FoundSpan } from '../documents/align-quote.ts';
import type { Span } from '../documents/document.ts';

/** A span of a document that a quote was found to be: as it stands, or up to white space, case, quotes and dashes. */
export type FoundQuote = FoundSpan;

/** An atomic statement found in one document, before it is known which request it serves (intent-neutral). */
export interface ExtractedKeyPoint extends Span {
  /** The statement as a reader should see it: the quote tidied (white space, markup, transcript noise), nothing added. */
  readonly text: string;
  /** Who says it, where the document is a transcript with speaker turns. */
  readonly speaker?: string | undefined;
  /** How well it reads alone, in (0, 1]: 1 for a statement that needs nothing before it. */
  readonly selfContained: number;
  /**
   * What it stands under, outermost first: headings, the line that leads into its list, its column's or line's label, the question
   * it answers. Says what it is about; no part of the quote.
   */
  readonly under?: readonly string[] | undefined;
  /** How the span was found; absent where it was cut from the document, which is exact. */
  readonly status?: FoundQuote['status'] | undefined;
  /** Further spans that state it, in reading order. */
  readonly moreQuotes?: readonly FoundQuote[] | undefined;
}

/** What a model says a document states, with a quote that the document does not hold. */
export interface UnverifiedKeyPoint {
  readonly text: string;
  /** What the model gave as the quote. */
  readonly quote: string;
}
