import { ofTypesAsked, type RelevanceScorer, typesAsked } from '../../models/index.ts';
import {
  asks,
  contextVectors,
  cosinesOf,
  deviations,
  isOpen,
  MAX_READ_LENGTH,
  type RelevanceInput,
} from '../../selection/index.ts';
import type { Engine } from '../engine.ts';
import { isForeign } from '../extract/languages.ts';
import { encodedText, type Point } from '../extract/points.ts';
import type { ReadDocument } from '../extract/read-documents.ts';
import { passagesOf } from '../select/reading-passages.ts';
import type { Query } from './intent.ts';
import type { Ranking, RankingTask } from './ranking-task.ts';
import { readFacets } from './read-facets.ts';

interface RankInput {
  readonly query: Query;
  readonly points: readonly RankedPoint[];
  readonly documents: readonly ReadDocument[];
  /** Sentence vector of each point by `encoder`; not read where it is a reranker. */
  readonly vectors: readonly Float32Array[];
  /** What each point stands under. */
  readonly under: RelevanceInput['under'];
  readonly encoder: RelevanceScorer;
  readonly gate: number | null;
  readonly maxPast: number;
  readonly surroundings: number;
  readonly estimate: boolean;
  /** Whether every point can be understood alone, as those that a model words. */
  readonly standAlone: boolean;
}

export type RankedPoint = Pick<Point, 'text' | 'documentIndex' | 'speaker' | 'under'>;

/** Points that a reader is asked about at most, shared by the facets: some 2.5 milliseconds each on one thread. */
const MAX_READ = 200;

/**
 * Relevance of every point to the query, and the gate; without a query every point is as relevant and passes. The points
 * of short documents that come nearest to a question are read together with it by the engine's reader, where it has one.
 */
export async function rankPoints(input: RankInput, engine: Engine): Promise<Ranking> {
  const { query, points, documents, encoder } = input;
  const facets = await readFacets(query.facets, points.map(encodedText), encoder);
  const queryForeign = isForeign(query.language, encoder);
  const documentForeign = documents.map(({ extraction }) => isForeign(extraction?.language ?? 'und', encoder));
  const task: RankingTask = {
    ...facets,
    ...(facets.scores === undefined && input.estimate && { facets: withTypes(facets.facets, input, engine) }),
    vectors: facets.scores === undefined ? input.vectors : [],
    texts: points.map(({ text }) => text),
    under: input.under,
    documents: Int32Array.from(points, ({ documentIndex }) => documentIndex),
    foreign: Uint8Array.from(points, ({ documentIndex }) => (queryForeign || documentForeign[documentIndex] ? 1 : 0)),
    surroundings: input.surroundings,
    estimate: input.estimate,
    standAlone: input.standAlone,
    scale: 'encode' in encoder ? encoder.profile.calibration.relevance : null,
    gate: query.text === null ? null : input.gate,
    maxPast: input.maxPast,
  };
  const canRead = facets.scores === undefined && input.estimate && engine.reader !== undefined;
  if (!canRead || !query.facets.some(({ asked: text }) => asks(text))) return engine.rank(task);
  const earlier = await engine.rank({ ...task, isPart: true });
  const ranking = await engine.rank({
    ...task,
    facets: await withReadings(task, earlier, input, engine),
    earlier: { found: earlier.found, surroundings: earlier.surroundings },
    isPart: true,
    vectors: [],
    under: [],
    ...(!task.foreign.includes(1) && { texts: [] }),
  });
  const { surroundings, kept } = ranking;
  return {
    ...ranking,
    found: null,
    context: surroundings === 0 ? null : contextVectors(input.vectors, task.documents, kept),
  };
}

/**
 * An open question takes any statement of the type that it asks for where it is so probable that it asks for one, and where no
 * sentence comes so near to it (in cosine) as those do that are about the very thing it names.
 */
const TYPED = { any: 0.7, nearest: 0.55 };

/** The facets; questions with how far each point is of the type of statement that they ask for. */
function withTypes(
  facets: RankingTask['facets'],
  { vectors, encoder }: RankInput,
  { answerTypes }: Engine,
): RankingTask['facets'] {
  if (answerTypes === undefined || answerTypes.encoder !== encoder.profile.id) return facets;
  return facets.map((facet) => {
    if (!asks(facet.text)) return facet;
    const asked = typesAsked(answerTypes, facet.vector);
    const any = asked.reduce((sum, p) => sum + p, 0);
    const ofType = deviations(ofTypesAsked(answerTypes, asked, vectors)).map((each) => any * each);
    const takesAny =
      isOpen(facet.text) &&
      any >= TYPED.any &&
      cosinesOf(vectors, facet.vector).every((cosine) => cosine < TYPED.nearest);
    return { ...facet, ofType, takesAny };
  });
}

/** The facets with what the reader says of the points that come nearest to any of them. */
async function withReadings(
  { facets, documents, foreign }: RankingTask,
  { values }: Ranking,
  { points, documents: read }: RankInput,
  { reader }: Engine,
): Promise<RankingTask['facets']> {
  const counts = new Map<number, number>();
  for (const document of documents) counts.set(document, (counts.get(document) ?? 0) + 1);
  const readable = [...documents.keys()].filter(
    (i) => foreign[i] === 0 && (counts.get(documents[i]) ?? 0) <= MAX_READ_LENGTH,
  );
  const most = Math.floor(MAX_READ / facets.length);
  const chosen = readable
    .sort((a, b) => values[b] - values[a] || a - b)
    .slice(0, most)
    .sort((a, b) => a - b);
  if (chosen.length === 0 || reader === undefined) return facets;
  const passages = passagesOf(chosen, points, read);
  return Promise.all(
    facets.map(async (facet) => {
      if (!asks(facet.text)) return facet;
      const scores = await reader.read(
        facet.text,
        passages.map(({ passage }) => passage),
      );
      const readings = new Float64Array(points.length).fill(Number.NaN);
      passages.forEach(({ indices }, p) => {
        indices.forEach((index, place) => {
          readings[index] = scores[p][place];
        });
      });
      return { ...facet, readings };
    }),
  );
}
