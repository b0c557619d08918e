import type { RelevanceScorer } from '../encoders/reranker.ts';
import type { Engine } from './engine.ts';
import type { Query } from './intent.ts';
import { isForeign } from './languages.ts';
import { encodedText, type Point } from './points.ts';
import type { Ranking } from './ranking-task.ts';
import type { ReadDocument } from './read-documents.ts';
import { readFacets } from './read-facets.ts';

export interface RankInput {
  readonly query: Query;
  readonly points: readonly (Pick<Point, 'text' | 'documentIndex'> & { readonly speaker?: string | undefined })[];
  readonly documents: readonly ReadDocument[];
  /** Sentence vector of each point by `encoder`; not read where it is a reranker. */
  readonly vectors: readonly Float32Array[];
  readonly encoder: RelevanceScorer;
  readonly gate: number | null;
  readonly surroundings: number;
  readonly centred: boolean;
}

/** Relevance of every point to the query, and the gate; without a query every point is as relevant and passes. */
export async function rankPoints(input: RankInput, engine: Engine): Promise<Ranking> {
  const { query, points, documents, encoder } = input;
  const facets = await readFacets(query.facets, points.map(encodedText), encoder);
  const queryForeign = isForeign(query.language, encoder);
  const documentForeign = documents.map(({ extraction }) => isForeign(extraction?.language ?? 'und', encoder));
  return engine.rank({
    ...facets,
    vectors: facets.scores === undefined ? input.vectors : [],
    texts: points.map(({ text }) => text),
    speakers: points.map(({ speaker }) => speaker),
    documents: Int32Array.from(points, ({ documentIndex }) => documentIndex),
    foreign: Uint8Array.from(points, ({ documentIndex }) => (queryForeign || documentForeign[documentIndex] ? 1 : 0)),
    surroundings: input.surroundings,
    centred: input.centred,
    gate: query.text === null ? null : input.gate,
  });
}
