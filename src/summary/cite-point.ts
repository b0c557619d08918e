import { sentenceText } from './sentence-text.ts';
import type { Citation, SelectedPoint, SummarySentence, Support } from './summary.ts';

/**
 * The sentence of a point with its sources: its own quotes first, then for every other document that supports it the
 * quote most similar to it, most similar document first (ties in the order of the supports, which is canonical).
 */
export function citePoint(
  point: Pick<SelectedPoint, 'id' | 'document' | 'text' | 'speaker' | 'quote' | 'moreQuotes' | 'supports'>,
): SummarySentence {
  const { document: home } = point;
  const others = new Map<string, Citation>();
  for (const { document, quote } of bySimilarity(point.supports)) {
    if (document !== home && !others.has(document)) others.set(document, { document, quote });
  }
  const own = [point.quote, ...(point.moreQuotes ?? [])].map((quote) => ({ document: home, quote }));
  return {
    text: sentenceText(point),
    framing: false,
    keyPoints: [...new Set([point.id, ...point.supports.map((support) => support.keyPoint)])],
    citations: [...own, ...others.values()],
    support: 1,
    disagreement: null,
  };
}

export function bySimilarity(supports: readonly Support[]): Support[] {
  return [...supports].sort((a, b) => b.similarity - a.similarity);
}

/** A sentence of the service's own: no source, and marked so. */
export function framingSentence(text: string): SummarySentence {
  return { text, framing: true, keyPoints: [], citations: [], support: null, disagreement: null };
}
