import { asks, contentStems, stemFinder } from '../../text/index.ts';
import { inverseFrequency, type PlacedPoints, placedPoints, type Setting, termsAround } from './surroundings.ts';
import { addTo, dot, subtract, unit } from './vectors.ts';

export interface AskedFacet {
  readonly text: string;
  readonly vector: Float32Array;
  /** The sentence reader's score of each point, NaN if it was not read; absent without a reader. */
  readonly readings?: Float64Array | undefined;
}

export interface Evidence {
  /** Unit sentence vectors of all points, document after document, in reading order. */
  readonly vectors: readonly Float32Array[];
  readonly texts: readonly string[];
  /** What each point stands under: its document's title, headings, the question it answers; null if nothing. */
  readonly under: readonly (Setting | null)[];
  readonly documents: Int32Array;
  readonly scale: RelevanceScale | null;
}

export type Found = ReturnType<typeof signals>;
type Signals = Found['facets'][number];

interface RelevanceScale {
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

export function signals(evidence: Evidence, facets: readonly Pick<AskedFacet, 'text' | 'vector'>[]) {
  const { texts, under, documents, scale } = evidence;
  const n = texts.length;
  const points = placedPoints(evidence.vectors, under);
  const reach = longShares(documents).some((share) => share > 0) ? points.reach(documents) : null;
  const asked = facets.map(({ text }) => [...contentStems(text)]);
  const find = stemFinder(asked.flat());
  const inTexts = texts.map(find);
  const inPlaces = texts.map((text, i) => (under[i] === null ? inTexts[i] : find(`${under[i].text} ${text}`)));
  return {
    lengths: Float64Array.from(texts, lengthOf),
    facets: facets.map(({ text, vector }, f) => {
      const own = points.dots(vector);
      const flags = asked[f].map((stem) => Uint8Array.from(inTexts, (held) => Number(held.has(stem))));
      return {
        /** Cosines with the point and its setting, on the scale of the fit. */
        cosines: onScale(own, scale),
        /** Cosines with the surroundings, in deviations; 0 if no document is long enough for them to count. */
        around: reach === null ? new Float64Array(n) : deviations(reach(own)),
        /** Share of the facet's words in the point and its setting. */
        words: sharesHeld(asked[f], flags.map(inverseFrequency), inPlaces),
        terms: deviations(termsAround(flags, n, documents)),
        /** Cosines with the topic; null if the facet is a question. */
        near: asks(text) ? null : topicNearness(points, own, vector),
      };
    }),
  };
}

/** "Week: 4; meals: 1,175; remark: none": the headers of a row say nothing of their own. */
const ROW = /^[^:;.]{1,40}: [^;]+(?:; [^:;.]{1,40}: [^;]+){2,}$/u;

function lengthOf(text: string): number {
  const said = ROW.test(text) ? text.replace(/(^|; )[^:;.]{1,40}: /gu, '$1') : text;
  return (said.match(/[\p{L}\p{M}\p{N}_']+/gu) ?? []).length;
}

/** The probability that each point helps to answer a facet. In long documents, finds the stretch first, then the sentence. */
export function estimate(
  { cosines, around, words, terms, near }: Signals,
  lengths: Float64Array,
  readings: Float64Array | undefined,
  { documents, surroundings }: { documents: Int32Array; surroundings: number },
): Float64Array {
  const above = deviations(cosines, FITTED);
  const length = lengthsOf(lengths);
  const prose = proseOf(lengths);
  const far = FAR.slope * Math.min(0, cosines.reduce((most, value) => Math.max(most, value), -1) - FAR.cosine);
  const share = longShares(documents).map((each) => surroundings * each);
  const own = (i: number): number => {
    if (near !== null) return ODDS.topic.bias + ODDS.topic.nearness * near[i] + far;
    if (readings === undefined || Number.isNaN(readings[i])) {
      const { bias, cosine, deviations: apart, words: held, length: long } = ODDS.short;
      return bias + cosine * cosines[i] + apart * above[i] + held * words[i] + long * prose * length[i];
    }
    const { bias, reading, words: held, length: long } = ODDS.read;
    return bias + reading * readings[i] + held * words[i] + long * prose * length[i];
  };
  const odds = cosines.map((_, i) => {
    const { bias, context, terms: term, deviations: apart, length: much } = ODDS.long;
    const long = bias + context * around[i] + term * terms[i] + apart * above[i] + much * length[i];
    return (1 - share[i]) * own(i) + share[i] * long;
  });
  return odds.map(logistic);
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

/** Share of the stems' weight that each text holds. */
function sharesHeld(
  stems: readonly string[],
  weights: readonly number[],
  texts: readonly ReadonlySet<string>[],
): Float64Array {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return Float64Array.from(texts, (held) => {
    const found = weights.reduce((sum, weight, s) => sum + (held.has(stems[s]) ? weight : 0), 0);
    return total === 0 ? 0 : found / total;
  });
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

/** Cosines with a topic moved halfway to its nearest points (Rocchio 1971), minus the points' common part. */
function topicNearness(points: PlacedPoints, own: Float64Array, topic: Float32Array): Float64Array {
  const n = own.length;
  const common = points.sum(new Float64Array(n).fill(COMMON.share / (n + COMMON.points)));
  const shared = points.dots(common);
  const square = dot(common, common);
  // |x - c|^2 = |x|^2 - 2 x . c + |c|^2
  const lengths = shared.map((each, i) => Math.sqrt(Math.max(0, points.squares[i] - 2 * each + square)));
  const asked = unit(subtract(new Float32Array(topic.length), topic, common));
  const sharedByTopic = dot(topic, common);
  const over = (value: number, length: number): number => (length === 0 ? 0 : value / length);
  const first = own.map((each, i) => over(each - sharedByTopic - shared[i] + square, lengths[i])); // times the length of the topic
  const count = Math.min(FEEDBACK.points, Math.ceil(FEEDBACK.share * n));
  const leaders = [...first.keys()].sort((a, b) => first[b] - first[a] || a - b).slice(0, count);
  const weights = new Float64Array(n);
  for (const i of leaders) weights[i] = over(1, lengths[i]);
  const centre = points.sum(weights);
  addTo(centre, common, -leaders.reduce((sum, i) => sum + weights[i], 0));
  addTo(asked, unit(centre));
  const moved = unit(asked);
  const beside = dot(common, moved);
  return points.dots(moved).map((each, i) => over(each - beside, lengths[i]));
}
