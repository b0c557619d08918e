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
  const values = new Float64Array(n).fill(Number.NEGATIVE_INFINITY);
  const facets = new Int32Array(n);
  const best: number[] = [];
  let used = 0;
  input.facets.forEach((facet, f) => {
    const overlap = wordOverlap(wordSet(facet.text), words);
    const own = Float64Array.from(vectors, (vector, i) =>
      foreign[i] ? overlap[i] : dot(vector, facet.vector) + WORDS_WEIGHT * overlap[i],
    );
    const share = input.surroundings * locality(own, documents);
    used = Math.max(used, share);
    for (let i = 0; i < n; i++) {
      const around = foreign[i] ? own[i] : dot(context[i], facet.vector);
      const value = (own[i] + share * around) / (1 + share);
      if (value > values[i]) {
        values[i] = value;
        facets[i] = f;
      }
    }
    best.push(own.reduce((most, r) => Math.max(most, r), Number.NEGATIVE_INFINITY));
  });
  return { values, facets, best: Float64Array.from(best), surroundings: used };
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let c = 0; c < a.length; c++) sum += a[c] * b[c];
  return sum;
}
