import type { Span } from '../documents/document.ts';

/** An atomic statement found in one document, before it is known which request it serves (intent-neutral). */
export interface ExtractedKeyPoint extends Span {
  /** The statement as a reader should see it: the quote tidied (white space, markup, transcript noise), nothing added. */
  readonly text: string;
  /** Who says it, where the document is a transcript with speaker turns. */
  readonly speaker?: string | undefined;
  /** How well it reads alone, in (0, 1]: 1 for a statement that needs nothing before it. */
  readonly selfContained: number;
}
