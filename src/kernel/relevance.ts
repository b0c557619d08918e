import { normalizeRows } from '../linear-algebra/normalize-rows.ts';
import { contextVectors, locality } from './surroundings.ts';
import { wordOverlap, wordSet } from './word-overlap.ts';

/** Share of the words of a facet that a point holds, beside the cosine's 1: names and terms that vectors blur. */
const WORDS_WEIGHT = 0.2;

export interface RelevanceInput {
  /** Unit sentence vectors of all points, document after document, in reading order. */
  readonly vectors: readonly Float32Array[];
  readonly texts: readonly string[];
  /** Document number of each point. */
  readonly documents: Int32Array;
  /** 1 where the point's language is none of the encoder's, so that words alone decide. */
  readonly foreign: Uint8Array;
  readonly facets: readonly { readonly text: string; readonly vector: Float32Array }[];
  /** Largest weight of the surroundings beside the point's own 1. */
  readonly surroundings: number;
}

export interface Relevance {
  /** Of each point, for the facet it answers best. */
  readonly values: Float64Array;
  /** Index of that facet. */
  readonly facets: Int32Array;
  /** What the best point reaches for each facet: cosine and words, without surroundings. */
  readonly best: Float64Array;
  /** Weight that the surroundings were given, after how far relevance runs in stretches. */
  readonly surroundings: number;
}

/**
 * How relevant every point is to its best facet: cosine of sentence vectors, plus the share of the facet's words, plus the
 * same for what stands around it in its document.
 *
 * The surroundings count as far as relevance runs in stretches along the documents (`locality`): in a meeting people
 * speak to a topic for a while, in a list of opinions the neighbours say nothing.
 */
export function relevance(input: RelevanceInput): Relevance {
  const { vectors, documents, foreign } = input;
  const n = vectors.length;
  const words = input.texts.map(wordSet);
  const context = input.surroundings === 0 ? vectors : contextVectors(vectors, documents);
  const common = commonPart(vectors);
  const apart = vectors.map((vector) => without(vector, common));
  const contextApart = context === vectors ? apart : context.map((vector) => without(vector, common));
  const values = new Float64Array(n).fill(Number.NEGATIVE_INFINITY);
  const facets = new Int32Array(n);
  const best: number[] = [];
  let used = 0;
  input.facets.forEach((facet, f) => {
    const overlap = wordOverlap(wordSet(facet.text), words);
    const asked = without(facet.vector, common);
    const own = Float64Array.from(apart, (vector, i) =>
      foreign[i] ? overlap[i] : dot(vector, asked) + WORDS_WEIGHT * overlap[i],
    );
    const share = input.surroundings * locality(own, documents);
    used = Math.max(used, share);
    for (let i = 0; i < n; i++) {
      const around = foreign[i] ? own[i] : dot(contextApart[i], asked);
      const value = (own[i] + share * around) / (1 + share);
      if (value > values[i]) {
        values[i] = value;
        facets[i] = f;
      }
    }
    best.push(
      vectors.reduce(
        (most, vector, i) => Math.max(most, (foreign[i] ? 0 : dot(vector, facet.vector)) + WORDS_WEIGHT * overlap[i]),
        Number.NEGATIVE_INFINITY,
      ),
    );
  });
  return { values, facets, best: Float64Array.from(best), surroundings: used };
}

/** Share of the mean vector that is taken out, and the number of points at which half of that share is. */
const COMMON = { share: 0.75, points: 20 };

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

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let c = 0; c < a.length; c++) sum += a[c] * b[c];
  return sum;
}
