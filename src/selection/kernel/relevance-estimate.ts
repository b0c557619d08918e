import { asks, contentStems, lazy, stemFinder } from '../../text/index.ts';
import { highest } from './reference.ts';
import {
  inverseFrequency,
  type PlacedPoints,
  placedPoints,
  type Setting,
  surroundingSums,
  termsAround,
} from './surroundings.ts';
import { addTo, dot, subtract, unit } from './vectors.ts';

export interface AskedFacet {
  readonly text: string;
  readonly vector: Float32Array;
  /** The sentence reader's score of each point, NaN if it was not read; absent without a reader. */
  readonly readings?: Float64Array | undefined;
}

/** What is known of all points, document after document, in reading order. */
export interface Evidence {
  /** Unit vectors with their settings. */
  readonly points: PlacedPoints;
  readonly documents: Int32Array;
  readonly shape: Shape;
  /** The part of the points' vectors that topics do without, and its inner product with each. */
  common(): { readonly vector: Float32Array; readonly dots: Float64Array };
  /** For each stem 1 for the points that hold it: in their texts, and with what they stand under. */
  holders(stems: readonly string[]): readonly { readonly inText: Uint8Array; readonly inPlace: Uint8Array }[];
  readonly scale: RelevanceScale | null;
}

export interface Texts {
  /** Unit sentence vectors of all points, document after document, in reading order. */
  readonly vectors: readonly Float32Array[];
  readonly texts: readonly string[];
  /** What each point stands under: its document's title, headings, the question it answers; null if nothing. */
  readonly under: readonly (Setting | null)[];
  readonly documents: Int32Array;
  readonly scale: RelevanceScale | null;
}

export function evidenceOf({ vectors, texts, under, documents, scale }: Texts): Evidence {
  const points = placedPoints(vectors, under, documents);
  return {
    points,
    common: lazy(() => commonOf(points)),
    documents,
    shape: shapeOf(Float64Array.from(texts, wordsSaid), documents),
    holders(stems) {
      const find = stemFinder(stems);
      const inTexts = texts.map(find);
      const inPlaces = texts.map((text, i) => (under[i] === null ? inTexts[i] : find(`${under[i].text} ${text}`)));
      return stems.map((stem) => ({
        inText: Uint8Array.from(inTexts, (held) => Number(held.has(stem))),
        inPlace: Uint8Array.from(inPlaces, (held) => Number(held.has(stem))),
      }));
    },
    scale,
  };
}

/** What of points counts whatever is asked. */
interface Shape {
  readonly length: Float64Array;
  /** How far the points are prose, in which length tells how much is said. */
  readonly prose: number;
  /** How far each point is of a long document. */
  readonly long: Float64Array;
}

/** @param words of each point */
export function shapeOf(words: Float64Array, documents: Int32Array): Shape {
  return { length: lengthsOf(words), prose: proseOf(words), long: longShares(documents) };
}

/** What of all points tells how relevant each is. The arrays have one value per point, so that those of some can be taken out. */
export interface Found extends Shape {
  readonly facets: readonly Signals[];
}

interface Signals {
  /** Cosines with the point and its setting, on the scale of the fit, and the same in deviations. */
  readonly cosines: Float64Array;
  readonly above: Float64Array;
  /** Cosines with the surroundings, in deviations; 0 if no document is long enough for them to count. */
  readonly around: Float64Array;
  /** Share of the facet's words in the point and its setting. */
  readonly words: Float64Array;
  /** Words of the facet around the point, in deviations; 0 as above. */
  readonly terms: Float64Array;
  /** Cosines with the topic; null if the facet is a question. */
  readonly near: Float64Array | null;
  /** Of a topic that is near to no point; at most 0. */
  readonly far: number;
}

export function foundOf({ length, prose, long, facets }: Found, indices: readonly number[]): Found {
  const some = (values: Float64Array) => Float64Array.from(indices, (i) => values[i]);
  return {
    length: some(length),
    prose,
    long: some(long),
    facets: facets.map(({ near, far, ...each }) => ({
      cosines: some(each.cosines),
      above: some(each.above),
      around: some(each.around),
      words: some(each.words),
      terms: some(each.terms),
      near: near && some(near),
      far,
    })),
  };
}

export interface RelevanceScale {
  readonly mean: number;
  readonly deviation: number;
}

/**
 * Log-odds that a point helps to answer, fitted by logistic regression (docs/decisions/relevance.md): `short` documents, `read` by the
 * reader, `topic` without a question, `long` documents.
 */
const ODDS = {
  short: { bias: -4.62, cosine: 6.07, deviations: 0.19, words: 0.45, length: 2.12 },
  read: { bias: -2.2, reading: 0.55, words: 3.3, length: 2.6 },
  topic: { bias: -3.77, nearness: 7.62 },
  long: { bias: -2.92, context: 0.377, terms: 0.307, deviations: 0.377, length: 0.108 },
};
/** The scale of the fit, that of all-MiniLM-L6-v2; other cosines are mapped to it. */
const FITTED: RelevanceScale = { mean: 0.234, deviation: 0.12 };
/** Weight of those means and deviations, in points, so that a handful of points does not set the scale. */
const PRIOR_POINTS = 20;
/** Points of a document up to which only the sentence counts, and the factor to where surroundings count in full. */
const LONG = { from: 20, factor: 20 };
/** Log-odds that a sentence answers, by its reading alone; calibrated on packets that the reader never saw (docs/decisions/relevance.md). */
const ANSWERS = { bias: 0.41, reading: 0.73 };
/** Max points of a document for the sentence reader; in longer ones the stretch decides. */
export const MAX_READ_LENGTH = 400;
/** Share of the mean vector removed for topics, and the number of points at which half of that is removed. */
const COMMON = { share: 0.75, points: 20 };
/** Max number and share of points nearest to a topic that it is moved towards. */
const FEEDBACK = { points: 20, share: 0.25 };
/** Min cosine of a topic's nearest point, and slope of the penalty below it: otherwise any topic would be found in any text. */
const FAR = { cosine: 0.3, slope: 25 };
/** Words of an average point; median words from which length counts, and the factor to where it counts in full. */
const LENGTH = { words: 15, spread: 0.7, most: 1.2, prose: 10, factor: Math.E };

export function signals(evidence: Evidence, facets: readonly Pick<AskedFacet, 'text' | 'vector'>[]): Found {
  const { points, documents, shape, scale } = evidence;
  const n = documents.length;
  const norms = shape.long.some((share) => share > 0) ? points.norms() : null;
  const none = new Float64Array(n);
  const asked = facets.map(({ text }) => [...contentStems(text)]);
  const stems = [...new Set(asked.flat())];
  const holders = evidence.holders(stems);
  return {
    ...shape,
    facets: facets.map(({ text, vector }, f) => {
      const own = points.dots(vector);
      const held = asked[f].map((stem) => holders[stems.indexOf(stem)]);
      const flags = held.map(({ inText }) => inText);
      const cosines = onScale(own, scale);
      const most = cosines.reduce((largest, value) => Math.max(largest, value), -1);
      return {
        cosines,
        above: deviations(cosines, FITTED),
        around: norms === null ? none : deviations(surroundingCosines(own, norms, documents)),
        words: sharesHeld(
          flags.map(inverseFrequency),
          held.map(({ inPlace }) => inPlace),
          n,
        ),
        terms: norms === null ? none : deviations(termsAround(flags, n, documents)),
        near: asks(text) ? null : topicNearness(evidence, own, vector),
        far: FAR.slope * Math.min(0, most - FAR.cosine),
      };
    }),
  };
}

function surroundingCosines(dots: Float64Array, norms: Float64Array, documents: Int32Array): Float64Array {
  return surroundingSums(dots, documents).map((sum, i) => (norms[i] === 0 ? 0 : sum / norms[i]));
}

/** "Week: 4; meals: 1,175; remark: none": the headers of a row say nothing of their own. */
const ROW = /^[^:;.]{1,40}: [^;]+(?:; [^:;.]{1,40}: [^;]+){2,}$/u;

/** Words of a point, without the headers of a row. */
export function wordsSaid(text: string): number {
  const said = ROW.test(text) ? text.replace(/(^|; )[^:;.]{1,40}: /gu, '$1') : text;
  return (said.match(/[\p{L}\p{M}\p{N}_']+/gu) ?? []).length;
}

/** The probability that each point helps to answer a facet. In long documents, finds the stretch first, then the sentence. */
export function estimate(
  { length, prose, long, facets }: Found,
  facet: number,
  readings: Float64Array | undefined,
  surroundings: number,
): Float64Array {
  const { cosines, above, around, words, terms, near, far } = facets[facet];
  const own = (i: number): number => {
    if (near !== null) return ODDS.topic.bias + ODDS.topic.nearness * near[i] + far;
    if (readings === undefined || Number.isNaN(readings[i])) {
      const { bias, cosine, deviations: apart, words: held, length: much } = ODDS.short;
      return bias + cosine * cosines[i] + apart * above[i] + held * words[i] + much * prose * length[i];
    }
    const { bias, reading, words: held, length: much } = ODDS.read;
    return bias + reading * readings[i] + held * words[i] + much * prose * length[i];
  };
  return cosines.map((_, i) => {
    const share = surroundings * long[i];
    if (share === 0) return logistic(own(i));
    const { bias, context, terms: term, deviations: apart, length: much } = ODDS.long;
    const odds = bias + context * around[i] + term * terms[i] + apart * above[i] + much * length[i];
    return logistic((1 - share) * own(i) + share * odds);
  });
}

/** The probability that the best-read point answers; null if none was read. */
export function probabilityOfAnswer(readings: Float64Array | undefined): number | null {
  const known = readings?.filter((reading) => !Number.isNaN(reading));
  if (known === undefined || known.length === 0) return null;
  const best = known.reduce((most, reading) => Math.max(most, reading));
  return logistic(ANSWERS.bias + ANSWERS.reading * best);
}

function logistic(odds: number): number {
  return 1 / (1 + Math.exp(-odds));
}

function longShares(documents: Int32Array): Float64Array {
  const counts = new Map<number, number>();
  for (const document of documents) counts.set(document, (counts.get(document) ?? 0) + 1);
  return Float64Array.from(documents, (document) => {
    const times = (counts.get(document) ?? 1) / LONG.from;
    return Math.min(1, Math.max(0, Math.log(times) / Math.log(LONG.factor)));
  });
}

function onScale(cosines: Float64Array, scale: RelevanceScale | null): Float64Array {
  if (scale !== null) {
    return cosines.map((value) => FITTED.mean + ((value - scale.mean) * FITTED.deviation) / scale.deviation);
  }
  return deviations(cosines).map((z) => FITTED.mean + FITTED.deviation * z);
}

/** In standard deviations. The prior counts as PRIOR_POINTS values. */
export function deviations(values: Float64Array, prior?: RelevanceScale): Float64Array {
  const { mean: priorMean = 0, deviation: priorDeviation = 0 } = prior ?? {};
  const count = prior === undefined ? 0 : PRIOR_POINTS;
  const total = values.length + count;
  if (total === 0) return values;
  const mean = (values.reduce((sum, value) => sum + value, 0) + count * priorMean) / total;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) + count * priorDeviation ** 2;
  const deviation = Math.sqrt(squares / total);
  if (deviation <= 1e-12 * Math.max(1, Math.abs(mean))) return values.map(() => 0);
  return values.map((value) => (value - mean) / deviation);
}

/** Share of the stems' weight that each of n points holds. @param held for each stem 1 for the points that hold it */
function sharesHeld(weights: readonly number[], held: readonly Uint8Array[], n: number): Float64Array {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const out = new Float64Array(n);
  if (total === 0) return out;
  held.forEach((flags, s) => {
    for (let i = 0; i < n; i++) if (flags[i] === 1) out[i] += weights[s];
  });
  return out.map((found) => found / total);
}

function lengthsOf(words: Float64Array): Float64Array {
  const { words: average, spread, most } = LENGTH;
  return words.map((count) => {
    const z = (Math.log(count + 1) - Math.log(average)) / spread;
    return Math.min(most, Math.max(-most, z));
  });
}

/** How far the points are prose, in which length tells how much is said, unlike in lists and tables. */
function proseOf(words: Float64Array): number {
  if (words.length === 0) return 0;
  const sorted = words.toSorted();
  const middle = sorted.length >> 1;
  const median = sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  return Math.min(1, Math.max(0, Math.log(Math.max(1, median) / LENGTH.prose) / Math.log(LENGTH.factor)));
}

export function commonOf(points: PlacedPoints): ReturnType<Evidence['common']> {
  const n = points.squares.length;
  const vector = points.sum(new Float64Array(n).fill(COMMON.share / (n + COMMON.points)));
  return { vector, dots: points.dots(vector) };
}

/** Cosines with a topic moved halfway to its nearest points (Rocchio 1971), minus the points' common part. */
function topicNearness(evidence: Evidence, own: Float64Array, topic: Float32Array): Float64Array {
  const { points } = evidence;
  const n = own.length;
  const { vector: common, dots: shared } = evidence.common();
  const square = dot(common, common);
  // |x - c|^2 = |x|^2 - 2 x . c + |c|^2
  const lengths = shared.map((each, i) => Math.sqrt(Math.max(0, points.squares[i] - 2 * each + square)));
  const asked = unit(subtract(new Float32Array(topic.length), topic, common));
  const sharedByTopic = dot(topic, common);
  const over = (value: number, length: number): number => (length === 0 ? 0 : value / length);
  const first = own.map((each, i) => over(each - sharedByTopic - shared[i] + square, lengths[i])); // times the length of the topic
  const count = Math.min(FEEDBACK.points, Math.ceil(FEEDBACK.share * n));
  const leaders = highest(first, count);
  const weights = new Float64Array(n);
  for (const i of leaders) weights[i] = over(1, lengths[i]);
  const centre = points.sum(weights);
  addTo(centre, common, -leaders.reduce((sum, i) => sum + weights[i], 0));
  addTo(asked, unit(centre));
  const moved = unit(asked);
  const beside = dot(common, moved);
  return points.dots(moved).map((each, i) => over(each - beside, lengths[i]));
}
