import {
  encodeQueries,
  encodeTexts,
  isReranker,
  type Passage,
  type PassageLine,
  type RelevanceScorer,
  type SentenceReader,
} from '../../models/index.ts';
import { contextVectors, MAX_READ_LENGTH } from '../../selection/index.ts';
import type { Intent } from '../../summary/index.ts';
import { asks, beginning, contentHash } from '../../text/index.ts';
import type { Reading } from '../extract/extract.ts';
import { encodedText, type Point, pointSettings, quoted } from '../extract/points.ts';
import { pointsHeld, type ReadDocument } from '../extract/read-documents.ts';
import type { Plan } from '../plan.ts';
import type { Run } from '../run.ts';
import { answeredBy, type Facet, intentOf, isForeign, type Query } from './query.ts';
import type { Ranking, RankingTask } from './ranking-task.ts';
import type { Question } from './split-intent.ts';

/** The ranking of a digest, as encoded or as graded by a model. */
export interface DigestRanking extends Ranking {
  /** The intent with the answered facets; null without one. */
  readonly intent: Intent | null;
  readonly isGraded: boolean;
  readonly isDegraded: boolean;
  readonly warnings: readonly string[];
  /** Identifies points, question and grades; prefix of the keys of all later steps. */
  readonly key: string;
}

/** Ranks the points by the encoder or reranker. */
export async function rank(run: Run, plan: Plan, reading: Reading, { searched }: Question): Promise<DigestRanking> {
  const { relevanceEncoder: encoder } = plan.options;
  const work = () => rankPoints(run, plan, reading, searched);
  // Ranking again with a local encoder is faster than reading a checkpoint.
  const ranking = isReranker(encoder)
    ? await run.step('rank', 'rank', [reading.key, searched.facets, searched.language], work)
    : await run.time('rank', work);
  return {
    ...ranking,
    intent: intentOf(searched, answeredBy(searched, ranking, encoder)),
    isGraded: false,
    isDegraded: false,
    warnings: [],
    key: rankingKey(reading.key, searched, null),
  };
}

export function rankingKey(reading: string, { facets, language }: Query, grades: unknown): string {
  return contentHash(JSON.stringify([reading, facets, language, grades]));
}

export type RankedPoint = Pick<Point, 'text' | 'documentIndex' | 'speaker' | 'under'>;

/** Max points for the reader, shared by the facets: some 2.5 ms each on one thread. */
export const MAX_READ = 200;

/** Without a question all points are equally relevant and eligible. The reader, if any, reads the best in short documents again. */
async function rankPoints(
  { engine, cache }: Run,
  { options, extractor }: Plan,
  { documents, points: given, vectors: ofKernel, scan }: Reading,
  { text: question, facets: asked, language }: Query,
): Promise<Ranking> {
  const { kernelEncoder, relevanceEncoder: encoder, surroundings, estimate, maxKept, gate, ungated } = options;
  // Relevance uses the words of the documents, not a model's.
  const points = extractor.isModel && question !== null ? given.map(quoted) : given;
  const texts = points.map(encodedText);
  const isOfKernel = isReranker(encoder) || question === null || (points === given && encoder === kernelEncoder);
  const vectors = isOfKernel ? ofKernel : (await encodeTexts(encoder, cache, texts)).sentences;
  const hasSettings = scan === null && estimate && question !== null && !isReranker(encoder);
  const under = hasSettings ? await pointSettings(given, documents, encoder, cache) : given.map(() => null);
  const facets: Scored = scan === null ? await scoredFacets(asked, texts, encoder) : { facets: scan.facets };
  const isEstimated = facets.scores === undefined && estimate;
  const isQuestionForeign = isForeign(language, encoder);
  const foreign = documents.map(
    ({ extraction }) => isQuestionForeign || isForeign(extraction?.language ?? 'und', encoder),
  );
  const task: RankingTask = {
    ...facets,
    vectors: facets.scores === undefined && scan === null ? vectors : [],
    texts: points.map(({ text }) => text),
    under,
    documents: Int32Array.from(points, ({ documentIndex }) => documentIndex),
    foreign: Uint8Array.from(points, ({ documentIndex }) => Number(foreign[documentIndex])),
    surroundings,
    estimate,
    scale: isReranker(encoder) ? null : encoder.profile.calibration.relevance,
    gate: question === null || (scan?.points ?? points.length) <= ungated ? null : gate,
    maxKept,
  };
  const { reader } = engine;
  const isRead = isEstimated && reader !== undefined && asked.some(({ alone }) => asks(alone));
  if (!isRead && scan === null) return engine.rank(task);
  const earlier = await engine.rank({ ...task, earlier: scan?.earlier, isPart: true });
  const ranking = await engine.rank({
    ...task,
    facets: isRead ? await withReadings(task, asked, earlier, points, documents, reader) : task.facets,
    earlier: { found: earlier.found, surroundings: earlier.surroundings },
    isPart: true,
    vectors: [],
    under: [],
    ...(!task.foreign.includes(1) && { texts: [] }),
  });
  const { kept } = ranking;
  const contextOf = scan?.contextOf ?? (() => contextVectors(vectors, task.documents, kept));
  const context = ranking.surroundings === 0 ? null : contextOf(kept);
  return { ...ranking, found: null, context };
}

type Scored = Pick<RankingTask, 'facets' | 'scores' | 'level'>;

const NO_VECTOR = new Float32Array(0);

/** Vectors of the facets, or reranker scores of every text. Scores are not cached: questions rarely recur. */
export async function scoredFacets(
  facets: readonly Facet[],
  texts: readonly string[],
  scorer: RelevanceScorer,
): Promise<Scored> {
  if (facets.length === 0) return { facets: [] };
  const asked = facets.map((facet) => facet.asked);
  if (isReranker(scorer)) {
    const scores = await Promise.all(asked.map((text) => scorer.score(text, texts)));
    return { facets: asked.map((text) => ({ text, vector: NO_VECTOR })), scores, level: scorer.profile.matched };
  }
  const encodings = await encodeQueries(scorer, asked);
  return { facets: facets.map(({ alone }, f) => ({ text: alone, vector: encodings[f].sentence })) };
}

async function withReadings(
  { facets, documents, foreign }: RankingTask,
  asked: readonly Facet[],
  { values }: Ranking,
  points: readonly RankedPoint[],
  read: readonly ReadDocument[],
  reader: SentenceReader,
): Promise<RankingTask['facets']> {
  const chosen = [...documents.keys()]
    .filter((i) => foreign[i] === 0 && pointsHeld(read[documents[i]]) <= MAX_READ_LENGTH)
    .sort((a, b) => values[b] - values[a] || a - b)
    .slice(0, Math.floor(MAX_READ / facets.length))
    .sort((a, b) => a - b);
  if (chosen.length === 0) return facets;
  const passages = passagesOf(chosen, points, read);
  return Promise.all(
    facets.map(async (facet, f) => {
      if (!asks(facet.text)) return facet;
      const scores = await reader.read(
        asked[f].asked,
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

/** Passages for the reader by document, with the title and the headings new since the previous point. `chosen` is ascending. */
function passagesOf(
  chosen: readonly number[],
  points: readonly RankedPoint[],
  documents: readonly ReadDocument[],
): { readonly passage: Passage; readonly indices: readonly number[] }[] {
  const passages = new Map<number, { lines: PassageLine[]; indices: number[]; above: readonly string[] }>();
  for (const index of chosen) {
    const point = points[index];
    const open = passages.get(point.documentIndex) ?? { lines: [], indices: [], above: [] };
    const { under = [] } = point;
    const headings = under.filter((heading) => !open.above.includes(heading));
    open.lines.push(...headings.map((text) => ({ text, isHeading: true })));
    open.lines.push({ text: encodedText(point), isHeading: false });
    open.indices.push(index);
    open.above = under;
    passages.set(point.documentIndex, open);
  }
  return [...passages].map(([document, { lines, indices }]) => ({
    passage: { ...beginningOf(documents[document]), lines },
    indices,
  }));
}

/** Units of a text that hold what a reader takes of its beginning. */
const MAX_OPENING = 400;

function beginningOf({ document: { title, text } }: ReadDocument): Pick<Passage, 'title' | 'opening'> {
  return { title: title ?? null, opening: beginning(text, MAX_OPENING).replace(/[#*|\s]+/gu, ' ') };
}
