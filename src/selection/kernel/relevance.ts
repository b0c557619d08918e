import type { Setting } from './placed-points.ts';
import {
  type AskedFacet,
  cosinesOf,
  estimate,
  type Found,
  type RelevanceScale,
  signals,
} from './relevance-estimate.ts';
import { coherence } from './surroundings.ts';
import { wordOverlap, wordSet } from './word-overlap.ts';

export interface RelevanceInput {
  /** Unit sentence vectors of all points, document after document, in reading order; not read where `scores` are given. */
  readonly vectors: readonly Float32Array[];
  readonly texts: readonly string[];
  /** What each point stands under (its document's title, headings, the question it answers): texts, and their mean vector; null where nothing. */
  readonly under: readonly (Setting | null)[];
  /** Document number of each point. */
  readonly documents: Int32Array;
  /** 1 where the point's language is none of the encoder's, so that words alone decide. */
  readonly foreign: Uint8Array;
  readonly facets: readonly AskedFacet[];
  /** Relevance of every point to each facet as somebody else found it, which stands in place of all that is done here. */
  readonly scores?: readonly Float64Array[];
  /** The least of those scores that answers. */
  readonly level?: number;
  /** How far the surroundings may count, in [0, 1]. */
  readonly surroundings: number;
  /** Whether relevance is the probability that a point helps to answer; else it is the plain cosine. */
  readonly estimate: boolean;
  /** Whether every point can be understood alone, so that none answers for the one before it; not where absent. */
  readonly standAlone?: boolean | undefined;
  /** Of the encoder's cosines; null where they were never measured. */
  readonly scale: RelevanceScale | null;
  /** What an earlier ranking of the same points found, from which this one goes on: what it found is not read again. */
  readonly earlier?: Pick<Relevance, 'found' | 'surroundings'> | undefined;
}

export interface Relevance {
  /** Of each point, for the facet it answers best. */
  readonly values: Float64Array;
  /** Index of that facet. */
  readonly facets: Int32Array;
  /** For each facet, the largest value of a point (0 without points), and whether that is enough to answer it, as far as levels are known. */
  readonly best: readonly { readonly value: number; readonly answers: boolean }[];
  /** Whether each point is relevant enough to be told where nobody says how many are. */
  readonly passes: Uint8Array;
  /** How far the surroundings count in the kernel, in [0, 1]. */
  readonly surroundings: number;
  /** How the facets meet the points; null where nothing was estimated. */
  readonly found: Found | null;
}

/**
 * A point is told if it is as likely to help as this, and this share as likely as the best point of its facet; the first of
 * a document a smaller share, for another source says more than another sentence. Where a type of statement is asked for, each
 * of them helps.
 */
export const LEVEL = { absolute: 0.17, ofBest: 0.65, ofBestFirst: 0.42, ofBestTyped: 0.35 };

/**
 * How relevant every point is to the facet it answers best; 1 where there is no facet.
 *
 * By default the probability that it helps to answer (`relevance-estimate.ts`); with `estimate` false the cosine of the
 * sentence vectors, as in the paper. In a language the encoder does not know, the share of the facet's words decides.
 */
export function relevance(input: RelevanceInput): Relevance {
  const { vectors, documents, foreign, facets: asked, surroundings, standAlone = false } = input;
  const n = documents.length;
  const share = input.earlier?.surroundings ?? surroundingsShare(input);
  if (asked.length === 0) return { ...unasked(n), surroundings: share, found: null };
  const words = foreign.includes(1) ? input.texts.map(wordSet) : null;
  const isEstimated = input.scores === undefined && input.estimate;
  const found = isEstimated ? (input.earlier?.found ?? signals(input, asked)) : null;
  const values = new Float64Array(n).fill(Number.NEGATIVE_INFINITY);
  const facets = new Int32Array(n);
  const passes = new Uint8Array(n);
  const best = asked.map((facet, f) => {
    const own =
      input.scores?.[f] ??
      (found === null
        ? cosinesOf(vectors, facet.vector)
        : estimate(found.facets[f], found.lengths, facet, { documents, surroundings, standAlone }));
    const overlap = words && wordOverlap(wordSet(facet.text), words);
    const met = overlap === null ? own : own.map((value, i) => (foreign[i] ? overlap[i] : value));
    const largest = met.reduce((most, value) => Math.max(most, value), n === 0 ? 0 : Number.NEGATIVE_INFINITY);
    const known = hasLevel(input, facet) ? LEVEL.absolute : found === null ? input.level : undefined;
    const least = known ?? Number.NEGATIVE_INFINITY;
    const first = bestOfDocuments(met, documents);
    for (let i = 0; i < n; i++) {
      const share = shareOfBest(facet, first.has(i));
      const isNear = met[i] >= Math.max(least, largest - (1 - share) * Math.abs(largest));
      if (isNear && (foreign[i] === 0 || met[i] > 0)) passes[i] = 1;
      if (met[i] <= values[i]) continue;
      values[i] = met[i];
      facets[i] = f;
    }
    return { value: largest, answers: n > 0 && largest >= least };
  });
  return { values, facets, best, passes, surroundings: share, found };
}

function shareOfBest({ takesAny }: AskedFacet, isFirst: boolean): number {
  if (takesAny) return LEVEL.ofBestTyped;
  return isFirst ? LEVEL.ofBestFirst : LEVEL.ofBest;
}

/**
 * Whether a level says that nothing answers. Where the cosines were never measured, or words alone decide, it means nothing;
 * and what takes any statement of a type has no sentence that looks like its answer.
 */
function hasLevel({ foreign, scores, scale, estimate }: RelevanceInput, { takesAny }: AskedFacet): boolean {
  return scores === undefined && estimate && scale !== null && foreign.includes(0) && takesAny !== true;
}

/** The most relevant point of each document, the earlier on a tie. */
function bestOfDocuments(values: Float64Array, documents: Int32Array): Set<number> {
  const best = new Map<number, number>();
  for (let i = 0; i < values.length; i++) {
    const known = best.get(documents[i]);
    if (known === undefined || values[i] > values[known]) best.set(documents[i], i);
  }
  return new Set(best.values());
}

function unasked(n: number): Pick<Relevance, 'values' | 'facets' | 'best' | 'passes'> {
  return {
    values: new Float64Array(n).fill(1),
    facets: new Int32Array(n),
    best: [],
    passes: new Uint8Array(n).fill(1),
  };
}

/** How far what stands around the points counts in the kernel: as far as texts run on. */
function surroundingsShare({ surroundings, scores, vectors, documents }: RelevanceInput): number {
  return scores === undefined ? surroundings * coherence(vectors, documents) : 0;
}
