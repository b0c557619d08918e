import { SENTENCE_EXTRACTOR_ID } from '../keypoints/extract-sentences.ts';
import { tidy } from '../keypoints/tidy.ts';
import type { SentenceChecker } from '../summary/verify/sentence-checker.ts';
import type { Point } from './points.ts';
import type { ReadDocuments } from './read-documents.ts';

/**
 * Puts the quote in the place of every wording that it does not support: a model may quote a document rightly and say
 * something else. Points that were cut from their documents stay as they are.
 */
export async function groundPoints(
  points: readonly Point[],
  { documents, extractor }: ReadDocuments,
  checker: () => SentenceChecker,
): Promise<readonly Point[]> {
  if (extractor === SENTENCE_EXTRACTOR_ID || points.length === 0) return points;
  const verdicts = await checker().check(
    points.map(({ text, quote, moreQuotes, documentIndex }) => {
      const { title } = documents[documentIndex].document;
      return {
        text,
        quotes: [quote, ...moreQuotes].map((each) => each.text),
        allowedNames: title === undefined ? [] : [title],
      };
    }),
  );
  return points.map((point, i) => (verdicts[i].supported ? point : { ...point, text: tidy(point.quote.text) }));
}
