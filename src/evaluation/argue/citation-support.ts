import type { ArgueSentenceAnswer } from '../../contract/evaluation-answer.ts';
import { mean } from '../mean.ts';
import { share } from '../share.ts';

/**
 * How many of a report's citations support their sentences. A document that a sentence cites twice counts once.
 *
 * @param average over all citations (`micro`), or first within each sentence that cites (`macro`)
 * @returns 0 to 100; null without citations
 */
export function citationSupport(
  sentences: readonly Pick<ArgueSentenceAnswer, 'citations'>[],
  average: 'micro' | 'macro',
): number | null {
  const bySentence = sentences.map(({ citations }) => [
    ...new Map(citations.map(({ document, supported }) => [document, supported])).values(),
  ]);
  if (average === 'micro') return share(bySentence.flat());
  return mean(bySentence.map(share).filter((each) => each !== null));
}
