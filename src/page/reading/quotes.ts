import type { Digest } from '../../client/client.ts';

/** A half-open range of UTF-16 code units. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** An exact slice of a document. */
export interface Quote extends Span {
  readonly text: string;
}

/** Where a quote stands. */
export interface Citation {
  readonly document: string;
  readonly quote: Quote;
}

export const isSame = (a: Span, b: Span): boolean => a.start === b.start && a.end === b.end;

/** Tells citations apart. */
export function keyOfCitation({ document, quote }: Citation): string {
  return `${quote.start}-${quote.end} ${document}`;
}

/** The quotes of a document that a summary cites, each once, in the order of the document. */
export function quotesFrom({ summary }: Pick<Digest, 'summary'>, document: string): Quote[] {
  const found = new Map<string, Quote>();
  for (const { citations } of summary.sentences) {
    for (const citation of citations) {
      if (citation.document === document) found.set(keyOfCitation(citation), citation.quote);
    }
  }
  return inOrder([...found.values()]);
}

export function inOrder(quotes: readonly Quote[]): Quote[] {
  return [...quotes].sort((a, b) => a.start - b.start || a.end - b.end);
}

/** How often a summary cites each document: sentences, not quotes. */
export function citationCounts({ summary }: Pick<Digest, 'summary'>): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { citations } of summary.sentences) {
    for (const document of new Set(citations.map((citation) => citation.document))) {
      counts.set(document, (counts.get(document) ?? 0) + 1);
    }
  }
  return counts;
}
