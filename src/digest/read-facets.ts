import { encodeQueries } from '../encoders/encode-queries.ts';
import { isReranker, type RelevanceScorer } from '../encoders/reranker.ts';
import type { RankingTask } from './ranking-task.ts';

const NO_VECTOR = new Float32Array(0);

/**
 * What the ranking needs of the facets of a query: their vectors, or the score of every text for each where a reranker is
 * asked. Scores are not stored: they belong to one question, which hardly comes again.
 */
export async function readFacets(
  facets: readonly string[],
  texts: readonly string[],
  scorer: RelevanceScorer,
): Promise<Pick<RankingTask, 'facets' | 'scores' | 'level'>> {
  if (facets.length === 0) return { facets: [] };
  if (isReranker(scorer)) {
    const scores = await Promise.all(facets.map((facet) => scorer.score(facet, texts)));
    return { facets: facets.map((text) => ({ text, vector: NO_VECTOR })), scores, level: scorer.profile.matched };
  }
  const encodings = await encodeQueries(scorer, facets);
  return { facets: facets.map((text, f) => ({ text, vector: encodings[f].sentence })) };
}
