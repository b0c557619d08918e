import type { Sentence } from './digest-layout.ts';
import type { Digest } from './types.ts';

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

/** Numbers of the sources that a sentence cites, ascending. */
export function sourceNumbers({ citations }: Sentence, sources: Digest['sources']): number[] {
  const cited = new Set(citations.map(({ document }) => document));
  return sources.flatMap(({ document, number }) => (cited.has(document) ? [number] : [])).sort((a, b) => a - b);
}

/** A citation as it stands after its sentence. */
export interface Marker {
  readonly citation: Citation;
  /** Number of the source; with a letter where the sentence cites several quotes of it. */
  readonly name: string;
}

/** The citations of a sentence, each quote once, by the numbers of their sources. */
export function markersOf({ citations }: Sentence, sources: Digest['sources']): Marker[] {
  const numbers = new Map(sources.map(({ document, number }) => [document, number]));
  const byDocument = new Map<string, Map<string, Citation>>();
  for (const citation of citations) {
    const quotes = byDocument.get(citation.document) ?? new Map<string, Citation>();
    byDocument.set(citation.document, quotes.set(keyOfCitation(citation), citation));
  }
  return [...byDocument]
    .map(([document, quotes]) => ({ number: numbers.get(document) ?? 0, quotes: [...quotes.values()] }))
    .sort((a, b) => a.number - b.number)
    .flatMap(({ number, quotes }) =>
      quotes.map((citation, index) => ({
        citation,
        name: quotes.length === 1 ? String(number) : number + letters(index),
      })),
    );
}

/** a, b, … z, aa, ab … */
function letters(index: number): string {
  const last = String.fromCharCode(97 + (index % 26));
  return index < 26 ? last : letters(Math.floor(index / 26) - 1) + last;
}
