import type { Digest } from './types.ts';

type Summary = Digest['summary'];
export type Sentence = Summary['sentences'][number];

/** Sentences as running text, or items of one or more sentences under a label such as "Still open", without its colon. */
type Part =
  | { readonly kind: 'paragraph'; readonly sentences: Sentence[] }
  | { readonly kind: 'list'; readonly label: string | null; readonly items: Sentence[][] };

/** The parts of a summary in order, with all its sentences. */
export function layoutOf({ sentences }: Summary): Part[] {
  const parts: Part[] = [];
  let before: Sentence | null = null;
  for (const sentence of sentences) {
    const { paragraph, item, label = null } = sentence;
    const last = paragraph === before?.paragraph ? parts.at(-1) : undefined;
    if (item === undefined) {
      if (last?.kind === 'paragraph') last.sentences.push(sentence);
      else parts.push({ kind: 'paragraph', sentences: [sentence] });
    } else if (last?.kind !== 'list') parts.push({ kind: 'list', label, items: [[sentence]] });
    else if (item === before?.item) last.items.at(-1)?.push(sentence);
    else last.items.push([sentence]);
    before = sentence;
  }
  return parts;
}

/** A half-open range of UTF-16 code units. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** An exact slice of a document. */
export interface Quote extends Span {
  readonly text: string;
}

export interface Citation {
  readonly document: string;
  readonly quote: Quote;
}

export const isSame = (a: Span, b: Span): boolean => a.start === b.start && a.end === b.end;

export function keyOfCitation({ document, quote }: Citation): string {
  return `${quote.start}-${quote.end} ${document}`;
}

/** The cited quotes of a document, each once, in the order of the document. */
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

/** Number of sentences that cite each document. */
export function citationCounts({ summary }: Pick<Digest, 'summary'>): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { citations } of summary.sentences) {
    for (const document of new Set(citations.map((citation) => citation.document))) {
      counts.set(document, (counts.get(document) ?? 0) + 1);
    }
  }
  return counts;
}

export interface Marker {
  readonly citation: Citation;
  /** Number of the source, with a letter if the sentence cites several quotes of it. */
  readonly name: string;
}

/** The citations of a sentence, each quote once, ordered by source. */
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

/** Characters with a meaning in Markdown or its dialects. */
const SPECIAL = /[\\`*_[\]<>#~|^$&]/g;
/** Starts of lists, rules and headings. */
const OPENER = /^(?:[-+=:]|(\d+)([.)]))/;

/** Without what acts and cannot be seen: control characters, but line ends, and marks of direction. */
export function visible(text: string): string {
  return text.replace(/[^\P{Cc}\n]+/gu, ' ').replace(/\p{Bidi_Control}/gu, '');
}

/** Escapes a text for Markdown, on one line. */
export function plain(text: string): string {
  return visible(text)
    .replace(/\s+/gu, ' ')
    .trim()
    .replace(SPECIAL, '\\$&')
    .replace(/:\/\//g, '\\://')
    .replace(/\b(www)\./gi, '$1\\.')
    .replace(/@/g, '\\@')
    .replace(OPENER, (all, digits?: string, end?: string) => (digits === undefined ? `\\${all}` : `${digits}\\${end}`));
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes a text for HTML, in content and in quoted attributes. */
export function escapeHtml(text: string): string {
  return visible(text).replace(/[&<>"']/g, (character) => ENTITIES[character]);
}
