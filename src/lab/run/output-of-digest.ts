import type { Digest } from '../../contract/digest.ts';
import type { SourceDocument } from '../../text/documents/document.ts';
import { figuresOfDigest } from '../comparison/figures-of-digest.ts';
import { countWords } from '../../summary/count-words.ts';
import type { PassageSpan } from '../benchmark-set.ts';
import type { OutputSentence, SystemOutput } from './system-output.ts';

/**
 * What a digest said, as it is scored.
 *
 * @param given the documents that it was made of, in the order in which they were sent
 * @param asked key points that were asked for; null where the strategy decides
 */
export function outputOfDigest(digest: Digest, given: readonly SourceDocument[], asked: number | null): SystemOutput {
  const { summary, keyPoints } = digest;
  const spans = new Map(
    keyPoints.flatMap(({ id, document, quote }): [string, PassageSpan][] =>
      quote.status === 'unverified' ? [] : [[id, { document, start: quote.start, end: quote.end }]],
    ),
  );
  const picked = keyPoints.filter(({ selected }) => selected).toSorted((a, b) => (a.rank ?? 0) - (b.rank ?? 0));
  return {
    sentences: summary.sentences
      .filter(({ framing }) => !framing)
      .map(
        ({ text, citations, keyPoints: [first] }): OutputSentence => ({
          text,
          documents: [...new Set(citations.map(({ document }) => document))],
          quote: (first !== undefined && spans.get(first)) || null,
        }),
      ),
    picks: picked.flatMap(({ id }) => spans.get(id) ?? []),
    asked,
    given: given.map(({ id }) => id),
    figures: { ...figuresOfDigest(digest, []), 'input.words': wordsOf(given) },
    sentenceWords: summary.sentences.map(({ text }) => countWords(text)),
    isPartial: digest.status === 'partial',
    usage: digest.usage,
  };
}

/** Words of some documents together. */
export function wordsOf(documents: readonly SourceDocument[]): number {
  return documents.reduce((sum, { text }) => sum + countWords(text), 0);
}
