import { encodeQueries, encodeTexts, isReranker, type RelevanceScorer, type WorkCache } from '../../models/index.ts';
import { vectorCosine } from '../../selection/index.ts';

/**
 * How relevant questions are to an intent: the cosine of sentence vectors by an encoder (Padmakumar et al. 2025, section 4.1.3, with
 * e5-mistral-7b-instruct), or the score of a reranker.
 *
 * @returns one score per question, in their order
 * @throws ModelCallError where an endpoint fails for good
 */
export async function scoredRelevance(
  intent: string,
  questions: readonly string[],
  scorer: RelevanceScorer,
  cache: WorkCache,
): Promise<number[]> {
  if (isReranker(scorer)) return [...(await scorer.score(intent, questions))];
  const [asked] = await encodeQueries(scorer, [intent]);
  const { sentences } = await encodeTexts(scorer, cache, questions);
  return sentences.map((sentence) => vectorCosine(asked.sentence, sentence));
}
