import { normalizeRows } from '../linear-algebra/normalize-rows.ts';
import { grams } from './gram-similarity.ts';
import { STOP_WORDS } from './stop-words.ts';
import { coherence, contextVectors, termsAround } from './surroundings.ts';
import { wordOverlap, wordSet } from './word-overlap.ts';

/** Share of the mean vector that is taken out, and the number of points at which half of that share is. */
const COMMON = { share: 0.75, points: 20 };
/** The most relevant points that sharpen the query, at most this many and this share of all. */
const FEEDBACK = { points: 20, share: 0.25 };
/** Weights of the parts of relevance in running text, beside the point's own cosine's 1. */
const AROUND = { context: 2, terms: 1.5, speaker: 0.05 };

export interface RelevanceInput {
  /** Unit sentence vectors of all points, document after document, in reading order; not read where `scores` are given. */
  readonly vectors: readonly Float32Array[];
  readonly texts: readonly string[];
  readonly speakers: readonly (string | undefined)[];
  /** Document number of each point. */
  readonly documents: Int32Array;
  /** 1 where the point's language is none of the encoder's, so that words alone decide. */
  readonly foreign: Uint8Array;
  readonly facets: readonly { readonly text: string; readonly vector: Float32Array }[];
  /** Relevance of every point to each facet as somebody else found it, which stands in place of all that is done here. */
  readonly scores?: readonly Float64Array[];
  /** How far the surroundings may count, in [0, 1]. */
  readonly surroundings: number;
  /** Whether what all points have in common is taken out and the best answers sharpen the question; else plain cosines. */
  readonly centred: boolean;
}

export interface Relevance {
  /** Of each point, for the facet it answers best. */
  readonly values: Float64Array;
  /** Index of that facet. */
  readonly facets: Int32Array;
  /** For each facet, the largest plain cosine (or given score; -Infinity without points) of a point, and the largest share of the facet's words that a point holds. */
  readonly best: readonly { readonly cosine: number; readonly words: number }[];
  /** How far the surroundings counted, in [0, 1]. */
  readonly surroundings: number;
  /** Unit vectors of what stands around each point; null where it does not count. */
  readonly context: readonly Float32Array[] | null;
}

/**
 * How relevant every point is to the facet it answers best; 1 where there is no facet.
 *
 * On its own, a point is as relevant as the cosine of its sentence vector with the facet's, both less what all points have in
 * common, the facet moved towards the points that answer it best (Rocchio 1971). In running text, where people stay with a
 * subject for a while (`coherence`), what stands around it counts as well: the cosine of the context and the facet's terms.
 * The two are mixed as far as the documents run on. In a language the encoder does not know, the share of the facet's words
 * decides.
 */
export function relevance(input: RelevanceInput): Relevance {
  if (input.scores !== undefined) return givenRelevance(input, input.scores);
  const { vectors, texts, documents, foreign } = input;
  const n = vectors.length;
  const share = input.surroundings * coherence(vectors, documents);
  const context = share === 0 ? null : contextVectors(vectors, documents);
  const common = commonPart(vectors);
  const apart = vectors.map((vector) => without(vector, common));
  const contextApart = context === null ? null : context.map((vector) => without(vector, common));
  const words = texts.map(wordSet);
  const values = new Float64Array(n).fill(input.facets.length === 0 ? 1 : Number.NEGATIVE_INFINITY);
  const facets = new Int32Array(n);
  const best = input.facets.map(({ text, vector }, f) => {
    const overlap = wordOverlap(wordSet(text), words);
    const cosines = Float64Array.from(vectors, (each) => dot(each, vector));
    const asked = without(vector, common);
    const alone = input.centred ? feedback(apart, asked) : cosines;
    const around = contextApart === null ? null : inContext(input, apart, contextApart, text, asked);
    for (let i = 0; i < n; i++) {
      const own = around === null ? alone[i] : (1 - share) * alone[i] + share * around[i];
      const value = foreign[i] ? overlap[i] : own;
      if (value > values[i]) {
        values[i] = value;
        facets[i] = f;
      }
    }
    const known = cosines.filter((_, i) => foreign[i] === 0);
    return { cosine: largest(known), words: largest(overlap) };
  });
  return { values, facets, best, surroundings: share, context };
}

/** Relevance as it was scored: of the facet that a point answers best, nothing mixed in. */
function givenRelevance({ texts, foreign, facets }: RelevanceInput, scores: readonly Float64Array[]): Relevance {
  const n = texts.length;
  const words = texts.map(wordSet);
  const overlaps = facets.map(({ text }) => wordOverlap(wordSet(text), words));
  const own = scores.map((each, f) => each.map((score, i) => (foreign[i] ? overlaps[f][i] : score)));
  const best = Int32Array.from({ length: n }, (_, i) => own.reduce((b, each, f) => (each[i] > own[b][i] ? f : b), 0));
  return {
    values: Float64Array.from(best, (f, i) => own[f]?.[i] ?? 1),
    facets: best,
    best: own.map((each, f) => ({
      cosine: each.reduce((most, value) => Math.max(most, value), Number.NEGATIVE_INFINITY),
      words: largest(overlaps[f]),
    })),
    surroundings: 0,
    context: null,
  };
}

/** What all points have in common: COMMON.share of their mean vector, less where they are few. */
function commonPart(vectors: readonly Float32Array[]): Float32Array {
  const mean = new Float32Array(vectors[0]?.length ?? 0);
  const scale = COMMON.share / (vectors.length + COMMON.points);
  for (const vector of vectors) for (let c = 0; c < mean.length; c++) mean[c] += scale * vector[c];
  return mean;
}

/** A vector less the common part, scaled to unit length. */
function without(vector: Float32Array, common: Float32Array): Float32Array {
  const apart = vector.map((value, c) => value - common[c]);
  return normalizeRows(apart, 1, apart.length);
}

/** Cosines with a query that was moved halfway to the points it is nearest to. */
function feedback(points: readonly Float32Array[], query: Float32Array): Float64Array {
  const first = Float64Array.from(points, (point) => dot(point, query));
  const count = Math.min(FEEDBACK.points, Math.ceil(FEEDBACK.share * points.length));
  const leaders = [...first.keys()].sort((a, b) => first[b] - first[a] || a - b).slice(0, count);
  const centre = new Float32Array(query.length);
  for (const i of leaders) for (let c = 0; c < centre.length; c++) centre[c] += points[i][c];
  normalizeRows(centre, 1, centre.length);
  const moved = query.map((value, c) => value + centre[c]);
  normalizeRows(moved, 1, moved.length);
  return Float64Array.from(points, (point) => dot(point, moved));
}

/** Relevance in running text: the point, what stands around it, and who speaks. */
function inContext(
  { texts, speakers, documents }: RelevanceInput,
  points: readonly Float32Array[],
  context: readonly Float32Array[],
  facet: string,
  vector: Float32Array,
): Float64Array {
  const asked = facet.toLowerCase();
  const content = (facet.match(/[\p{L}\p{M}\p{N}_']+/gu) ?? []).filter((word) => !STOP_WORDS.has(word.toLowerCase()));
  const padded = texts.map(
    (text) =>
      ` ${text
        .normalize('NFKC')
        .toLowerCase()
        .replace(/[^\p{L}\p{M}\p{N}_']+/gu, ' ')} `,
  );
  const occurs = [...grams(content.join(' '))].map((gram) =>
    Uint8Array.from(padded, (text) => (text.includes(gram) ? 1 : 0)),
  );
  const terms = termsAround(occurs, texts.length, documents);
  const scale = 1 / (1 + AROUND.context + AROUND.terms);
  return Float64Array.from(points, (point, i) => {
    const speaker = speakers[i]?.toLowerCase();
    const named = speaker !== undefined && speaker.length > 2 && asked.includes(speaker) ? AROUND.speaker : 0;
    return scale * (dot(point, vector) + AROUND.context * dot(context[i], vector) + AROUND.terms * terms[i] + named);
  });
}

function largest(values: Float64Array): number {
  return values.reduce((most, value) => Math.max(most, value), 0);
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let c = 0; c < a.length; c++) sum += a[c] * b[c];
  return sum;
}
