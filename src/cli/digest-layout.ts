import type { Digest } from '../digest/digest.ts';

/** A sentence with the numbers of the sources that it cites, ascending. */
export interface NumberedSentence {
  readonly text: string;
  readonly sources: readonly number[];
}

/** Sentences that stand together: running text, or an item of a list. */
export interface DigestPart {
  readonly kind: 'paragraph' | 'item';
  readonly sentences: readonly NumberedSentence[];
}

/** A source with the quotes that it is cited by, each once. */
export interface QuotedSource {
  readonly number: number;
  readonly title: string;
  readonly quotes: readonly string[];
}

/** The sentences of a digest as its text lays them out; they are all there. */
export function layoutOf({ summary: { text, sentences }, sources }: Digest): DigestPart[] {
  const numbers = new Map(sources.map(({ document, number }) => [document, number]));
  const parts: { kind: DigestPart['kind']; sentences: NumberedSentence[] }[] = [];
  let at = 0;
  for (const sentence of sentences) {
    const found = text.indexOf(sentence.text, at);
    const before = found < 0 ? ' ' : text.slice(at, found);
    if (found >= 0) at = found + sentence.text.length;
    const cited = new Set(sentence.citations.flatMap(({ document }) => numbers.get(document) ?? []));
    const numbered = { text: sentence.text, sources: [...cited].sort((a, b) => a - b) };
    const isItem = /(?:^|\n)- $/.test(before);
    const last = parts.at(-1);
    if (last !== undefined && !isItem && !before.includes('\n')) last.sentences.push(numbered);
    else parts.push({ kind: isItem ? 'item' : 'paragraph', sentences: [numbered] });
  }
  return parts;
}

/** The sources that a digest cites, by number. */
export function quotedSources({ summary, sources }: Digest): QuotedSource[] {
  return sources.map(({ number, document, title }) => {
    const cited = summary.sentences.flatMap(({ citations }) => citations.filter((each) => each.document === document));
    return { number, title: title ?? document, quotes: [...new Set(cited.map(({ quote }) => quote.text))] };
  });
}

/** What has to be told of a digest beside its text: warnings, and documents that were not read. */
export function notesOf({ warnings, documents }: Digest): string[] {
  return [...warnings, ...documents.flatMap(({ id, error }) => (error === null ? [] : [`${id}: ${error.message}`]))];
}
