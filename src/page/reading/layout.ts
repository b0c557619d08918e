import type { Digest } from '../../client/client.ts';
import { type Citation, keyOfCitation } from './quotes.ts';

export type Sentence = Digest['summary']['sentences'][number];

/** Sentences that stand together: flowing text, or a list with a sentence to an item. */
export interface Part {
  readonly kind: 'paragraph' | 'list';
  readonly sentences: readonly Sentence[];
}

/** The layout that the text of a summary gives its sentences. They are all there, whatever the text is. */
export function layoutOf({ text, sentences }: Digest['summary']): Part[] {
  const parts: { kind: Part['kind']; sentences: Sentence[] }[] = [];
  let at = 0;
  for (const sentence of sentences) {
    const found = text.indexOf(sentence.text, at);
    const before = found < 0 ? ' ' : text.slice(at, found);
    if (found >= 0) at = found + sentence.text.length;
    const kind = /(?:^|\n)- $/.test(before) ? 'list' : 'paragraph';
    const last = parts.at(-1);
    const goesOn = kind === 'list' ? !before.includes('\n\n') : !before.includes('\n');
    if (last !== undefined && last.kind === kind && goesOn) last.sentences.push(sentence);
    else parts.push({ kind, sentences: [sentence] });
  }
  return parts;
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
