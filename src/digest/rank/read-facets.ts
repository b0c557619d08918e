import { encodeQueries, isReranker, type RelevanceScorer } from '../../models/index.ts';
import type { Facet } from './facets.ts';
import type { RankingTask } from './ranking-task.ts';

const NO_VECTOR = new Float32Array(0);

/**
 * What the ranking needs of the facets of a query: their vectors, or the score of every text for each where a reranker is
 * asked. Scores are not stored: they belong to one question, which hardly comes again.
 */
export async function readFacets(
  facets: readonly Facet[],
  texts: readonly string[],
  scorer: RelevanceScorer,
): Promise<Pick<RankingTask, 'facets' | 'scores' | 'level'>> {
  if (facets.length === 0) return { facets: [] };
  const asked = facets.map((facet) => facet.asked);
  if (isReranker(scorer)) {
    const scores = await Promise.all(asked.map((text) => scorer.score(text, texts)));
    return { facets: asked.map((text) => ({ text, vector: NO_VECTOR })), scores, level: scorer.profile.matched };
  }
  const encodings = await encodeQueries(scorer, asked);
  return { facets: asked.map((text, f) => ({ text, vector: encodings[f].sentence })) };
}
