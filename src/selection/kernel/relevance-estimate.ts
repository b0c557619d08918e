import { normalizeRows } from '../../models/index.ts';
import { asks } from './asks.ts';
import { contentStems, stemFinder } from './content-words.ts';
import { type PlacedPoints, placedPoints, type Setting } from './placed-points.ts';
import { termsAround } from './surroundings.ts';
import { addTo, dot, subtract } from './vectors.ts';
import { isUnspaced } from './word-overlap.ts';

export interface AskedFacet {
  readonly text: string;
  readonly vector: Float32Array;
  /** What a reader of sentences says of each point, NaN where it did not read it; absent where none was asked. */
  readonly readings?: Float64Array | undefined;
  /**
   * How far each point is what the facet wants to hear (a complaint, a decision), in deviations over all points, less the less
   * surely it wants that; absent where that is not known.
   */
  readonly ofType?: Float64Array | undefined;
  /** Whether every statement of that type helps. */
  readonly takesAny?: boolean | undefined;
}

/** The points that a facet is held against. */
interface Evidence {
  /** Unit sentence vectors in reading order, document after document. */
  readonly vectors: readonly Float32Array[];
  readonly texts: readonly string[];
  /** What each point stands under: texts, and their mean vector; null where nothing. */
  readonly under: readonly (Setting | null)[];
  readonly documents: Int32Array;
  readonly scale: RelevanceScale | null;
}

/** How far each point meets a facet, one way and another. */
interface Signals {
  /** Cosines with the point and what it stands under, on the scale of the fit. */
  readonly cosines: Float64Array;
  /** Cosines with what stands around it, in deviations; 0 where no document is long enough for that to count. */
  readonly around: Float64Array;
  /** Share of the facet's words that it holds with what it stands under. */
  readonly words: Float64Array;
  /** How many of them stand around it, in deviations. */
  readonly terms: Float64Array;
  /** Cosines with the topic, where the facet is one; null where it asks. */
  readonly near: Float64Array | null;
}

/** How facets meet the points: what a later ranking of the same goes on from. */
export interface Found {
  readonly facets: readonly Signals[];
  /** Words of each point. */
  readonly lengths: Float64Array;
}

/** Mean and deviation of the cosines of questions with points that were read to be judged. */
export interface RelevanceScale {
  readonly mean: number;
  readonly deviation: number;
}

/**
 * Log-odds that a point helps to answer, by logistic regressions on people's labels of four kinds of data at once, each kind
 * weighing the same (docs/decisions/relevance.md has what each is worth on the kinds that it was not fitted to):
 * `short` in documents of a page or so, `read` there where a reader has scored the sentence, `topic` where the intent is no
 * question, `long` in documents in which a subject goes on for a stretch.
 */
const ODDS = {
  short: { bias: -4.62, cosine: 6.07, deviations: 0.19, words: 0.45, length: 2.12 },
  read: { bias: -0.74, cosine: 2.12, words: 2.01, length: 1.81, reading: 0.85, readingDeviations: -0.8 },
  topic: { bias: -3.77, nearness: 7.62 },
  long: { bias: -2.92, context: 0.377, terms: 0.307, deviations: 0.377, length: 0.108 },
};
/** The scale that these were fitted on: that of all-MiniLM-L6-v2. Other cosines are put onto it. */
const FITTED: RelevanceScale = { mean: 0.234, deviation: 0.12 };
/** Readings of the shipped reader over the points that they were fitted on. */
const READINGS: RelevanceScale = { mean: -3.73, deviation: 1.33 };
/** Points that those means and deviations count for, so that a handful of points does not set the scale. */
const PRIOR_POINTS = 20;
/** Points of a document up to which only the sentence counts, and the factor to where its surroundings count in full. */
const LONG = { from: 20, factor: 20 };
/**
 * What a deviation counts for by which a point is of the type of statement that the question asks for, in documents of a page
 * or so (docs/decisions/statement-types.md), and where any of that type helps: this by reading digests of such questions, which no labelled set
 * holds many of.
 */
const OF_TYPE = { one: 0.4, any: 1.5 };
/** Share that a sentence takes of what the one before it has more where something is asked, in documents of a page or so (docs/decisions/relevance.md). */
const FOLLOWING = 0.5;
/** Points of the longest document whose sentences a reader is asked about: in longer ones the stretch decides. */
export const MAX_READ_LENGTH = 400;
/** Share of the mean vector that is taken out where a topic is looked for, and the number of points at which half of it is. */
const COMMON = { share: 0.75, points: 20 };
/** The points nearest to a topic that it is moved towards, at most this many and this share of all. */
const FEEDBACK = { points: 20, share: 0.25 };
/**
 * Cosine of the nearest point under which a topic is not what the texts are about, and what a cosine less takes off the odds:
 * moved towards what is nearest, any topic would be found anywhere. Chosen on 18 topics over one
 * set of documents, half of them of another subject.
 */
const FAR = { cosine: 0.3, slope: 25 };
/** Words of a point that says an average amount; median words of points from which length tells how much is said, and the factor to where it counts in full. */
const LENGTH = { words: 15, spread: 0.7, most: 1.2, prose: 10, factor: Math.E };

/**
 * Holds the facets against the points. What depends on vectors is found document after document, so that nothing as large as
 * all vectors is made of them.
 */
export function signals(evidence: Evidence, facets: readonly Pick<AskedFacet, 'text' | 'vector'>[]): Found {
  const { texts, under, documents, scale } = evidence;
  const n = texts.length;
  const points = placedPoints(evidence);
  const own = facets.map(({ vector }) => points.dots(vector));
  const reach = longShares(documents).some((share) => share > 0) ? points.reach(documents) : null;
  const asked = facets.map(({ text }) => [...contentStems(text)]);
  const held = stemsHeld([...new Set(asked.flat())], texts, under);
  return {
    lengths: Float64Array.from(texts, (text) => (text.match(/[\p{L}\p{M}\p{N}_']+/gu) ?? []).length),
    facets: facets.map(({ text, vector }, f) => {
      const flags = asked[f].map((stem) => present(held.get(stem)));
      return {
        cosines: onScale(own[f], scale),
        around: reach === null ? new Float64Array(n) : deviations(reach(own[f])),
        words: sharesOf(
          flags.map(({ own }) => inverseFrequency(own)),
          flags.map(({ placed }) => placed),
          n,
        ),
        terms: deviations(
          termsAround(
            flags.map(({ own }) => own),
            n,
            documents,
          ),
        ),
        near: asks(text) ? null : topicNearness(points, own[f], vector),
      };
    }),
  };
}

/**
 * The probability that each point helps to answer a facet.
 *
 * Two steps that long documents need and short ones do not: finding the stretch that is about it (what stands around, the
 * facet's terms nearby), and choosing the sentence that says something.
 *
 * @param surroundings how far they may count, in [0, 1]
 * @param standAlone whether every point can be understood alone
 * @returns one value in (0, 1) per point
 */
export function estimate(
  { cosines, around, words, terms, near }: Signals,
  lengths: Float64Array,
  { readings, ofType, takesAny }: Omit<AskedFacet, 'text' | 'vector'>,
  { documents, surroundings, standAlone }: { documents: Int32Array; surroundings: number; standAlone: boolean },
): Float64Array {
  const n = cosines.length;
  const above = deviations(cosines, FITTED);
  const length = lengthsOf(lengths);
  const prose = proseOf(lengths);
  const read = readings === undefined ? null : deviations(readings, READINGS);
  const far = FAR.slope * Math.min(0, cosines.reduce((most, value) => Math.max(most, value), -1) - FAR.cosine);
  const share = longShares(documents).map((each) => surroundings * each);
  const odds = new Float64Array(n);
  for (let i = 0; i < n; i++) {
    const own =
      near !== null
        ? ODDS.topic.bias + ODDS.topic.nearness * near[i] + far
        : readings === undefined || read === null || Number.isNaN(readings[i])
          ? ODDS.short.bias +
            ODDS.short.cosine * cosines[i] +
            ODDS.short.deviations * above[i] +
            ODDS.short.words * words[i] +
            ODDS.short.length * prose * length[i]
          : ODDS.read.bias +
            ODDS.read.cosine * cosines[i] +
            ODDS.read.words * words[i] +
            ODDS.read.length * prose * length[i] +
            ODDS.read.reading * readings[i] +
            ODDS.read.readingDeviations * read[i];
    const long =
      ODDS.long.bias +
      ODDS.long.context * around[i] +
      ODDS.long.terms * terms[i] +
      ODDS.long.deviations * above[i] +
      ODDS.long.length * length[i];
    const subject = (1 - share[i]) * own + share[i] * long;
    const typed = takesAny ? OF_TYPE.any : OF_TYPE.one * (1 - share[i]);
    odds[i] = subject + typed * (ofType?.[i] ?? 0);
  }
  const raised = near === null && !standAlone ? withWhatFollows(odds, documents, share) : odds;
  return raised.map((each) => 1 / (1 + Math.exp(-each)));
}

/** Log-odds of the points, raised where the sentence before is the likelier answer: what names the subject comes before what says it. */
function withWhatFollows(odds: Float64Array, documents: Int32Array, longShare: Float64Array): Float64Array {
  return odds.map((own, i) => {
    if (i === 0 || documents[i - 1] !== documents[i]) return own;
    return own + FOLLOWING * (1 - longShare[i]) * Math.max(0, odds[i - 1] - own);
  });
}

/** How far a point's document is long: 0 for a page or so, 1 for a transcript. */
function longShares(documents: Int32Array): Float64Array {
  const counts = new Map<number, number>();
  for (const document of documents) counts.set(document, (counts.get(document) ?? 0) + 1);
  return Float64Array.from(documents, (document) => {
    const times = (counts.get(document) ?? 1) / LONG.from;
    return Math.min(1, Math.max(0, Math.log(times) / Math.log(LONG.factor)));
  });
}

/** Cosines of an encoder as if they were of the one that the odds were fitted on. */
function onScale(cosines: Float64Array, scale: RelevanceScale | null): Float64Array {
  if (scale !== null) {
    return cosines.map((value) => FITTED.mean + ((value - scale.mean) * FITTED.deviation) / scale.deviation);
  }
  return deviations(cosines).map((z) => FITTED.mean + FITTED.deviation * z);
}

/** Deviations from the mean, in standard deviations; NaN where the value is. With a prior, few values count for less than it. */
export function deviations(values: Float64Array, prior?: RelevanceScale): Float64Array {
  const known = values.filter((value) => !Number.isNaN(value));
  const { mean: priorMean = 0, deviation: priorDeviation = 0 } = prior ?? {};
  const count = prior === undefined ? 0 : PRIOR_POINTS;
  const total = known.length + count;
  if (total === 0) return values;
  const mean = (known.reduce((sum, value) => sum + value, 0) + count * priorMean) / total;
  const squares = known.reduce((sum, value) => sum + (value - mean) ** 2, 0) + count * priorDeviation ** 2;
  const deviation = Math.sqrt(squares / total);
  if (deviation <= 1e-9) return values.map((value) => (Number.isNaN(value) ? value : 0));
  return values.map((value) => (value - mean) / deviation);
}

function inverseFrequency(flags: Uint8Array): number {
  const frequency = flags.reduce((count, flag) => count + flag, 0);
  return Math.log((flags.length + 1) / (frequency + 1));
}

/**
 * Share of the stems' weight that each text holds; 0 where they weigh nothing.
 *
 * @param flags for each stem, 1 or 0 for each text
 */
function sharesOf(weights: readonly number[], flags: readonly Uint8Array[], n: number): Float64Array {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return Float64Array.from({ length: n }, (_, i) => {
    const held = weights.reduce((sum, weight, s) => sum + (flags[s][i] === 1 ? weight : 0), 0);
    return total === 0 ? 0 : held / total;
  });
}

/** Whether each point holds each stem among its content words: in its own text, and with what it stands under. */
function stemsHeld(
  stems: readonly string[],
  texts: readonly string[],
  under: readonly (Setting | null)[],
): Map<string, { readonly own: Uint8Array; readonly placed: Uint8Array }> {
  const held = new Map(
    stems.map((stem) => [stem, { own: new Uint8Array(texts.length), placed: new Uint8Array(texts.length) }]),
  );
  const find = stemFinder(stems);
  const above = new Map<Setting, { readonly stems: ReadonlySet<string>; readonly isSpaced: boolean }>();
  texts.forEach((text, i) => {
    const setting = under[i];
    const own = find(text);
    for (const stem of own) present(held.get(stem)).own[i] = 1;
    let placed: Iterable<string> = own;
    if (setting !== null) {
      const of = above.get(setting) ?? { stems: find(setting.text), isSpaced: !isUnspaced(setting.text) };
      above.set(setting, of);
      placed = of.isSpaced && !isUnspaced(text) ? [...of.stems, ...own] : find(`${setting.text} ${text}`);
    }
    for (const stem of placed) present(held.get(stem)).placed[i] = 1;
  });
  return held;
}

function present<T>(value: T | undefined): T {
  if (value === undefined) throw new TypeError('a stem that nobody asked for');
  return value;
}

/** How much each point says, by its words: 0 for an average sentence. */
function lengthsOf(words: Float64Array): Float64Array {
  const { words: average, spread, most } = LENGTH;
  return words.map((count) => {
    const z = (Math.log(count + 1) - Math.log(average)) / spread;
    return Math.min(most, Math.max(-most, z));
  });
}

/** How far the points are sentences of prose, in which length tells how much is said; in lists and tables it does not. */
function proseOf(words: Float64Array): number {
  if (words.length === 0) return 0;
  const sorted = words.toSorted();
  const middle = sorted.length >> 1;
  const median = sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  return Math.min(1, Math.max(0, Math.log(Math.max(1, median) / LENGTH.prose) / Math.log(LENGTH.factor)));
}

/**
 * Cosines with a topic that was moved halfway to the points that it is nearest to (Rocchio 1971), all less what the points have
 * in common.
 *
 * @param own inner products of the points with the topic
 */
function topicNearness(points: PlacedPoints, own: Float64Array, topic: Float32Array): Float64Array {
  const n = own.length;
  const common = points.sum(new Float64Array(n).fill(COMMON.share / (n + COMMON.points)));
  const shared = points.dots(common);
  const square = dot(common, common);
  // Of points less what is common, |x - c|^2 = |x|^2 - 2 x . c + |c|^2.
  const lengths = shared.map((each, i) => Math.sqrt(Math.max(0, points.squares[i] - 2 * each + square)));
  const asked = unit(subtract(new Float32Array(topic.length), topic, common));
  const sharedByTopic = dot(topic, common);
  const over = (value: number, length: number): number => (length === 0 ? 0 : value / length);
  const first = own.map((each, i) => over(each - sharedByTopic - shared[i] + square, lengths[i])); // times the topic's length
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

function unit(vector: Float32Array): Float32Array {
  return normalizeRows(vector, 1, vector.length);
}

/** Inner products of vectors with a query: cosines, where all are of unit length. */
export function cosinesOf(vectors: readonly Float32Array[], query: Float32Array): Float64Array {
  return Float64Array.from(vectors, (vector) => dot(vector, query));
}
