import { wordOverlap, wordSet } from '../../text/index.ts';
import {
  type AskedFacet,
  estimate,
  evidenceOf,
  type Found,
  probabilityOfAnswer,
  signals,
  type Texts,
} from './relevance-estimate.ts';
import { coherence } from './surroundings.ts';
import { cosinesOf } from './vectors.ts';

export interface RelevanceInput extends Texts {
  /** 1 if the encoder does not know the point's language, so that words alone decide. */
  readonly foreign: Uint8Array;
  readonly facets: readonly AskedFacet[];
  /** Given relevance of every point to each facet, which replaces everything computed here. */
  readonly scores?: readonly Float64Array[];
  readonly level?: number;
  readonly surroundings: number;
  readonly estimate: boolean;
  readonly earlier?: Pick<Relevance, 'found' | 'surroundings'> | undefined;
}

export interface Relevance {
  readonly values: Float64Array;
  readonly facets: Int32Array;
  /** For each facet, the largest value of a point (0 without points), and whether it may or does answer the facet, if levels are known. */
  readonly best: readonly { readonly value: number; readonly mayAnswer: boolean; readonly answers: boolean }[];
  readonly eligible: Uint8Array;
  readonly surroundings: number;
  readonly found: Found | null;
}

/** A point is eligible if it reaches `absolute` and a share of its facet's best point, smaller for the best point of a document. */
export const LEVEL = { absolute: 0.17, ofBest: 0.65, ofBestFirst: 0.42 };
/**
 * The shares of facets that the reader read. No point is eligible if the facet is answered with a probability below `possible`; from
 * `answered` on nine in ten are answered (docs/decisions/relevance.md).
 */
const READ = { ofBest: 0.73, ofBestFirst: 0.33, possible: 0.42, answered: 0.75 };

/**
 * Relevance to the best-matching facet; 1 without facets. The probability of helping to answer; the cosine if `estimate` is false;
 * the share of the facet's words in languages that the encoder does not know.
 */
export function relevance(input: RelevanceInput): Relevance {
  const { vectors, documents, foreign, facets: asked, surroundings } = input;
  const n = documents.length;
  const share =
    input.earlier?.surroundings ?? (input.scores === undefined ? surroundings * coherence(vectors, documents) : 0);
  if (asked.length === 0) {
    const [values, eligible] = [new Float64Array(n).fill(1), new Uint8Array(n).fill(1)];
    return { values, facets: new Int32Array(n), best: [], eligible, surroundings: share, found: null };
  }
  const words = foreign.includes(1) ? input.texts.map(wordSet) : null;
  const isEstimated = input.scores === undefined && input.estimate;
  const found = isEstimated ? (input.earlier?.found ?? signals(evidenceOf(input), asked)) : null;
  const hasLevels = hasLevel(input);
  const level = (hasLevels ? LEVEL.absolute : found === null ? input.level : undefined) ?? Number.NEGATIVE_INFINITY;
  const values = new Float64Array(n).fill(Number.NEGATIVE_INFINITY);
  const facets = new Int32Array(n);
  const eligible = new Uint8Array(n);
  const best = asked.map((facet, f) => {
    const own =
      input.scores?.[f] ??
      (found === null ? cosinesOf(vectors, facet.vector) : estimate(found, f, facet.readings, surroundings));
    const overlap = words && wordOverlap(wordSet(facet.text), words);
    const met = overlap === null ? own : own.map((value, i) => (foreign[i] ? overlap[i] : value));
    const largest = met.reduce((most, value) => Math.max(most, value), n === 0 ? 0 : Number.NEGATIVE_INFINITY);
    const answer = hasLevels ? probabilityOfAnswer(facet.readings) : null;
    const least = answer === null ? level : Number.NEGATIVE_INFINITY;
    const reaches = (probability: number) => n > 0 && (answer === null ? largest >= least : answer >= probability);
    const mayAnswer = reaches(READ.possible);
    const first = bestOfDocuments(met, documents);
    const shares = answer === null ? LEVEL : READ;
    for (let i = 0; i < n; i++) {
      const share = first.has(i) ? shares.ofBestFirst : shares.ofBest;
      const isNear = mayAnswer && met[i] >= Math.max(least, largest - (1 - share) * Math.abs(largest));
      if (isNear && (foreign[i] === 0 || met[i] > 0)) eligible[i] = 1;
      if (met[i] <= values[i]) continue;
      values[i] = met[i];
      facets[i] = f;
    }
    return { value: largest, mayAnswer, answers: reaches(READ.answered) };
  });
  return { values, facets, best, eligible, surroundings: share, found };
}

/** False if cosines were never measured, or if words alone decide. */
function hasLevel({ foreign, scores, scale, estimate }: RelevanceInput): boolean {
  return scores === undefined && estimate && scale !== null && foreign.includes(0);
}

function bestOfDocuments(values: Float64Array, documents: Int32Array): Set<number> {
  const best = new Map<number, number>();
  for (let i = 0; i < values.length; i++) {
    const known = best.get(documents[i]);
    if (known === undefined || values[i] > values[known]) best.set(documents[i], i);
  }
  return new Set(best.values());
}
