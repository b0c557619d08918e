import { encodeQueries, encodeTexts, isReranker, type RelevanceScorer, type WorkCache } from '../../models/index.ts';
import { vectorCosine } from '../../selection/index.ts';
import type { BenchmarkCase, BenchmarkSet } from '../benchmark-set.ts';
import { quantile } from '../results/estimate.ts';
import type { MadeIntent } from './intents-protocol.ts';

/**
 * How relevant questions are to an intent: the cosine of sentence vectors by an encoder (Padmakumar et al. 2025, section 4.1.3, with
 * e5-mistral-7b-instruct), or the score of a reranker.
 *
 * @returns one score per question, in their order
 * @throws ModelCallError where an endpoint fails for good
 */
export async function scoredRelevance(
  intent: string,
  questions: readonly string[],
  scorer: RelevanceScorer,
  cache: WorkCache,
): Promise<number[]> {
  if (isReranker(scorer)) return [...(await scorer.score(intent, questions))];
  const [asked] = await encodeQueries(scorer, [intent]);
  const { sentences } = await encodeTexts(scorer, cache, questions);
  return sentences.map((sentence) => vectorCosine(asked.sentence, sentence));
}

/** Padmakumar et al. 2025, appendix B.2: cosines of e5-mistral-7b-instruct. */
const PAPER = 0.6;

/**
 * Cosine above which a question is relevant to an intent, for the encoder that ships with the service, whose cosines lie lower: the
 * one with the best balanced accuracy for telling a haystack's insights on an intent from those on its other subjects (207 and
 * 1,035 pairs, ArgKP). For all-MiniLM-L6-v2 0.954 above 0.37 (95.2% of the relevant and 4.4% of
 * the others pass; 0.947 with the threshold of three haystacks for the fourth); above 0.6 pass 56.5% and 0.0%.
 *
 * Questions about one and the same subject lie nearer to each other. Of those that people asked of one meeting (QMSum), 24 pairs
 * are answered by the same turns and 1,336 by others: above this threshold 100% of the first and 37.4% of the others pass (best
 * above 0.50: 0.921, 100% and 15.7%).
 */
const MEASURED: Readonly<Record<string, number>> = {
  'transformers/all-MiniLM-L6-v2/q8/2': 0.37,
};

export function isMeasured(scorer: string): boolean {
  return scorer in MEASURED;
}

/** The score above which a question is relevant to an intent, where nobody says otherwise. */
export function relevantAbove(scorer: string): number {
  return MEASURED[scorer] ?? PAPER;
}

/**
 * Cases that have an id of the form of this step's, though no earlier run of it made any.
 *
 * @returns their ids
 */
export function foreignIds(set: BenchmarkSet): string[] {
  return set.made.some(({ step }) => step === 'intents') ? [] : set.cases.filter(ofThisStep(set)).map(({ id }) => id);
}

interface SetWithIntents {
  readonly set: BenchmarkSet;
  /** Cases of an earlier run that were taken out with what was made for them: key points, say. */
  readonly lost: number;
}

/**
 * The set with these cases in the place of those of an earlier run, in order of the collections. An intent that was there
 * before keeps what was made for it.
 *
 * @param answered ids of the collections whose intents could be read and scored; the cases of others stay
 */
export function withIntents(
  set: BenchmarkSet,
  cases: readonly BenchmarkCase[],
  answered: ReadonlySet<string>,
): SetWithIntents {
  const isOfStep = ofThisStep(set);
  const isOld = (each: BenchmarkCase): boolean => answered.has(each.collection) && isOfStep(each);
  const old = new Map(set.cases.filter(isOld).map((each) => [intentKey(each), each]));
  const made = cases.map((each) => ({ ...old.get(intentKey(each)), ...each }));
  const stay = new Set(made.map(intentKey));
  const lost = [...old].filter(([key, each]) => !stay.has(key) && hasMore(each)).length;
  return { set: { ...set, cases: [...set.cases.filter((each) => !isOld(each)), ...made] }, lost };
}

function intentKey({ collection, intent }: BenchmarkCase): string {
  return JSON.stringify([collection, intent]);
}

/** Whether later steps, or people, have made something for a case. */
function hasMore({ insights, keyPoints, nuggets, passages, reference }: BenchmarkCase): boolean {
  return [insights, keyPoints, nuggets, passages, reference].some((each) => each !== undefined);
}

/** Collections without questions were not asked, so that their cases stay. */
function ofThisStep({ collections }: BenchmarkSet): (each: BenchmarkCase) => boolean {
  const asked = new Set(collections.flatMap(({ id, questions = [] }) => (questions.length > 0 ? [id] : [])));
  return ({ id, collection }) =>
    asked.has(collection) &&
    id.startsWith(`${collection}/intent-`) &&
    /^\d+$/.test(id.slice(`${collection}/intent-`.length));
}

export interface ScoredIntent extends MadeIntent {
  /** Of its questions, in their order; null for one that has no score, which is not relevant. */
  readonly scores: readonly (number | null)[];
}

/** An intent with too few relevant questions, and how its questions scored. */
export interface ShortIntent {
  readonly collection: string;
  readonly intent: string;
  readonly relevant: number;
  readonly questions: number;
  /** Median, 90th percentile and largest of the scores; null where there is none. */
  readonly scores: { readonly median: number; readonly p90: number; readonly most: number } | null;
}

interface KeptIntents {
  readonly cases: readonly BenchmarkCase[];
  readonly short: readonly ShortIntent[];
  readonly counts: Readonly<Record<'kept' | 'dropped' | 'relevant' | 'unscored' | 'unweighed', number>>;
}

/**
 * Cases of the intents that enough questions are relevant to (Padmakumar et al. 2025, section 4.1.3), named
 * `<collection>/intent-<number>`: a number that is left out is that of an intent that was dropped. Each holds all questions of its
 * collection, marked.
 *
 * @param threshold a question that scores more is relevant
 * @param least relevant questions that an intent needs
 */
export function keepIntents(scored: readonly ScoredIntent[], threshold: number, least: number): KeptIntents {
  const cases: BenchmarkCase[] = [];
  const short: ShortIntent[] = [];
  const counts = { kept: 0, dropped: 0, relevant: 0, unscored: 0, unweighed: 0 };
  for (const { collection, number, intent, questions, scores, weighed } of scored) {
    const marked = questions.map((question, place) => ({
      ...question,
      relevant: (scores[place] ?? -Infinity) > threshold,
    }));
    const relevant = marked.filter((question) => question.relevant).length;
    counts.unscored += scores.filter((score) => score === null).length;
    counts.unweighed += weighed?.unweighed ?? 0;
    if (relevant < least) {
      counts.dropped++;
      short.push({ collection, intent, relevant, questions: questions.length, scores: spread(scores) });
      continue;
    }
    counts.kept++;
    counts.relevant += relevant;
    cases.push({ id: `${collection}/intent-${number}`, collection, intent, questions: marked });
  }
  return { cases, short, counts };
}

function spread(scores: readonly (number | null)[]): ShortIntent['scores'] {
  const sorted = scores.flatMap((score) => score ?? []).sort((a, b) => a - b);
  const most = sorted.at(-1);
  return most === undefined ? null : { median: quantile(sorted, 0.5), p90: quantile(sorted, 0.9), most };
}
