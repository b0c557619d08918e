import { z } from 'zod';
import { isForeignTo } from '../../evaluation/index.ts';
import {
  asData,
  BYTES_PER_TOKEN,
  encodeQueries,
  encodeTexts,
  isReranker,
  type JsonForm,
  type RelevanceScorer,
  type WorkCache,
} from '../../models/index.ts';
import { vectorCosine } from '../../selection/index.ts';
import { countWords } from '../../summary/index.ts';
import { contentStems, type SourceDocument, sentences, utf8Length, windows } from '../../text/index.ts';
import type { BenchmarkCase, BenchmarkQuestion, BenchmarkSet } from '../benchmark-set.ts';
import { quantile } from '../results/estimate.ts';
import { type AskedModel, mapConcurrent, oneLine, type WeighedYes } from './asked-model.ts';
import { type Counts, countNotes, type Maker, summed, totalCalls, UnfitSetError } from './maker.ts';
import { jaccard } from './merge-points.ts';
import { folded, SAFE_BYTES_PER_TOKEN } from './questions.ts';

interface Beginnings {
  readonly text: string;
  readonly cut: number;
  readonly notShown: number;
}

/** Bytes of markup around a document, and min bytes shown of one. */
const [AROUND, MIN_SHOWN] = [100, 200];

/** Titles and beginnings of documents within a UTF-8 byte limit, shared fairly; too many documents are sampled at even distances. */
export function beginnings(documents: readonly SourceDocument[], bytes: number): Beginnings {
  const whole = documents.map(({ title, text }) => (title === undefined ? text : `${title}\n\n${text}`));
  const count = Math.min(Math.max(1, Math.floor(bytes / (AROUND + MIN_SHOWN))), whole.length);
  const shown = Array.from({ length: count }, (_, place) => whole[Math.floor((place * whole.length) / count)]);
  const sizes = shown.map((text) => utf8Length(text));
  const level = levelOf(sizes, bytes - AROUND * count);
  const texts = shown.map((text, place) => {
    if (sizes[place] <= level) return asData('document', text, place + 1);
    const [first] = windows(text, { bytes: level, overlapBytes: 0 });
    return asData('document', `${first === undefined ? '' : text.slice(0, first.end)} […]`, place + 1);
  });
  const cut = sizes.filter((size) => size > level).length;
  return { text: texts.join('\n\n'), cut, notShown: whole.length - shown.length };
}

function levelOf(sizes: readonly number[], bytes: number): number {
  let left = bytes;
  const ascending = sizes.toSorted((a, b) => a - b);
  for (const [place, size] of ascending.entries()) {
    const level = Math.floor(left / (ascending.length - place));
    if (size > level) return Math.max(MIN_SHOWN, level);
    left -= size;
  }
  return Math.max(MIN_SHOWN, ascending.at(-1) ?? 0);
}

type Fault = 'unfit' | 'duplicates' | 'nearDuplicates';

const MAX_WORDS = 60;
/** Jaccard similarity of content words above which two intents are duplicates. */
const NEAR = 0.7;

/** Accepts single sentences that are no near duplicates of accepted ones. */
export function intentChecker(): (intent: string) => Fault | null {
  const known = new Map<string, ReadonlySet<string>>();
  return (intent) => {
    const key = folded(intent);
    if (key === '' || sentences(intent).length > 1 || countWords(intent) > MAX_WORDS) return 'unfit';
    if (known.has(key)) return 'duplicates';
    const words = contentStems(intent);
    if ([...known.values()].some((others) => jaccard(words, others) >= NEAR)) return 'nearDuplicates';
    known.set(key, words);
    return null;
  };
}

const one = z.union([z.string(), z.object({ intent: z.string() }).transform(({ intent }) => intent)]).catch('');
const list = z.array(one.transform(oneLine));
const INTENTS: JsonForm<string[]> = {
  name: 'intents',
  schema: z.union([z.object({ intents: list }).transform(({ intents }) => intents), list]),
  asked: z.object({ intents: z.array(z.string()) }),
  wholeItems: true,
};

const RULES_TOKENS = 600;
const [MIN_BYTES, MAX_BYTES] = [400, 64_000];
const DOCUMENTS = 0.85;

function answerTokens(contextTokens: number, intents: number): number {
  return Math.min(100 + 120 * intents, Math.floor(contextTokens / 3));
}

function shownDocuments(documents: readonly SourceDocument[], intents: number, contextTokens: number): Beginnings {
  const bytes = SAFE_BYTES_PER_TOKEN * (contextTokens - RULES_TOKENS - answerTokens(contextTokens, intents));
  return beginnings(documents, Math.min(MAX_BYTES, Math.max(MIN_BYTES, Math.floor(DOCUMENTS * bytes))));
}

/** Requests distinct intents for documents (Padmakumar et al. 2025, sections 4.1.3 and B.2), with one retry if too few are usable. */
async function collectionIntents(documents: readonly SourceDocument[], count: number, model: AskedModel) {
  const { text, cut, notShown } = shownDocuments(documents, count, model.contextTokens);
  const check = intentChecker();
  const dropped: Record<Fault, number> = { unfit: 0, duplicates: 0, nearDuplicates: 0 };
  const found: string[] = [];
  const ask = async (wanted: number): Promise<void> => {
    const there = found.length === 0 ? 'nothing yet' : asData('intents', found.map((each) => `- ${each}`).join('\n'));
    const values = { documents: text, count: String(wanted), found: there };
    const given = await model.json('benchmark-intents', values, answerTokens(model.contextTokens, wanted), INTENTS);
    for (const intent of given ?? []) {
      const fault = check(intent);
      if (fault === null) found.push(intent);
      else dropped[fault]++;
    }
  };
  await ask(count);
  // Without a usable intent the prompt, and so the cached answer, would be the same.
  if (found.length > 0 && found.length < count) await ask(count - found.length);
  const intents = found.slice(0, count);
  const sizes = { collections: 1, cutDocuments: cut, documentsNotShown: notShown, intents: intents.length };
  const surplus = found.length - intents.length;
  return { intents, counts: { ...sizes, ...dropped, surplus, missing: count - intents.length } };
}

/** Padmakumar et al. 2025, appendix B.2: cosines of e5-mistral-7b-instruct. */
const PAPER_THRESHOLD = 0.6;

/**
 * Cosine threshold of relevance, by best balanced accuracy (ArgKP: 207 relevant and 1,035 other pairs): 0.954 at 0.37
 * (95.2% and 4.4% pass); at 0.6, 56.5% and 0.0% pass. Within one subject (QMSum: 24 and 1,336 pairs) 100% and 37.4%
 * pass.
 */
const MEASURED: Readonly<Record<string, number>> = { 'transformers/all-MiniLM-L6-v2/q8/2': 0.37 };

/** Cosines (Padmakumar et al. 2025, section 4.1.3) or scores of a reranker. */
async function scoredRelevance(
  intent: string,
  questions: readonly string[],
  scorer: RelevanceScorer,
  cache: WorkCache,
): Promise<number[]> {
  if (isReranker(scorer)) return [...(await scorer.score(intent, questions))];
  const [asked] = await encodeQueries(scorer, [intent]);
  const { sentences: vectors } = await encodeTexts(scorer, cache, questions);
  return vectors.map((vector) => vectorCosine(asked.sentence, vector));
}

interface IntentsOptions {
  readonly intents: number;
  /** Min score of a relevant question; null for the scorer's default. */
  readonly threshold: number | null;
  readonly least: number;
  readonly scorer: RelevanceScorer | null;
  readonly contextTokens: number;
}

interface MadeIntent {
  readonly collection: string;
  readonly number: number;
  readonly intent: string;
  readonly questions: readonly BenchmarkQuestion[];
  readonly weighed: readonly (WeighedYes | null)[] | null;
}

interface IntentAnswers {
  readonly intents: readonly MadeIntent[];
  readonly counts: Counts;
}

const NOTES_BY_COUNT = {
  missing: 'Intents missing, as the model gave fewer that can be used',
  collectionsWithoutQuestions: 'Collections left out, as they have no questions',
  cutDocuments: 'Documents of which the model was shown the beginning alone',
  documentsNotShown: 'Documents of which the model was shown nothing, as its context holds no more',
  unweighed: 'Scores that are 1 or 0, as the server tells no probabilities, so that no threshold between them matters',
  unscored: 'Questions that count as not relevant, as the model gave no readable answer',
  foreignIntents: 'Intents in a language that the scorer was not trained for, about which its scores tell little',
  lost: 'Earlier intents that are gone, with the key points and other references made for them',
};
const [INTENT_TOKENS, RELEVANCE_TOKENS, WORD_TOKENS] = [40, 380, 3];

/**
 * Makes intents for each collection with questions, and marks the relevant questions (Padmakumar et al. 2025, section
 * 4.1.3).
 * @throws UnfitSetError if no collection has questions, or a case has an id that this step assigns
 */
export function intentsMaker(
  set: BenchmarkSet,
  { intents: count, least, scorer, contextTokens, ...options }: IntentsOptions,
  cache: WorkCache,
): Maker<IntentAnswers> {
  const asked = set.collections.filter(({ questions = [] }) => questions.length > 0);
  if (asked.length === 0) throw new UnfitSetError('Its collections have no questions; run benchmark questions first.');
  const isOfStep = ({ id, collection }: BenchmarkCase) =>
    asked.some((each) => each.id === collection && id.startsWith(`${collection}/intent-`)) && /\/intent-\d+$/.test(id);
  const foreign = set.made.some(({ step }) => step === 'intents') ? [] : set.cases.filter(isOfStep);
  if (foreign.length > 0) {
    const names = foreign.map(({ id }) => `"${id}"`).join(', ');
    throw new UnfitSetError(`Its cases ${names} have ids that this step gives; give them others.`);
  }
  const scorerId = scorer?.profile.id ?? 'llm';
  const threshold = options.threshold ?? MEASURED[scorerId] ?? PAPER_THRESHOLD;

  async function relevanceOf({ intent, questions, weighed }: MadeIntent): Promise<readonly (number | null)[]> {
    if (scorer === null) return (weighed ?? []).map((each) => each?.share ?? null);
    const texts = questions.map(({ question }) => question);
    return scoredRelevance(intent, texts, scorer, cache);
  }

  return {
    step: 'intents',
    version: 1,
    options: { intents: count, threshold, least, scorer: scorerId, context: contextTokens },
    expected() {
      const weighings =
        scorer === null ? asked.reduce((sum, { questions = [] }) => sum + count * questions.length, 0) : 0;
      return totalCalls([
        ...asked.map(({ documents }) => {
          const { text } = shownDocuments(documents, count, contextTokens);
          return [1, RULES_TOKENS + utf8Length(text) / BYTES_PER_TOKEN, INTENT_TOKENS * count] as const;
        }),
        [weighings, RELEVANCE_TOKENS, WORD_TOKENS],
      ]);
    },
    async ask(model) {
      const given = await mapConcurrent(asked, ({ documents }) => collectionIntents(documents, count, model));
      const weigh = async (intent: string, { question }: BenchmarkQuestion) =>
        model.yes('benchmark-relevance', { intent: asData('intent', intent), question: asData('question', question) });
      const intents: MadeIntent[] = [];
      for (const [place, { id: collection, questions = [] }] of asked.entries()) {
        for (const [before, intent] of given[place].intents.entries()) {
          const weighed = scorer === null ? await mapConcurrent(questions, (each) => weigh(intent, each)) : null;
          intents.push({ collection, number: before + 1, intent, questions, weighed });
        }
      }
      return { intents, counts: summed(given.map((each) => each.counts)) };
    },
    async build({ intents, counts: asking }) {
      const kept: BenchmarkCase[] = [];
      const short: string[] = [];
      const answered = new Set<string>();
      const marks = { kept: 0, dropped: 0, relevant: 0, unscored: 0, unweighed: 0, foreignIntents: 0 };
      // Sequential: a scorer uses the whole machine.
      for (const made of intents) {
        const { collection, number, intent, questions, weighed } = made;
        const scores = await relevanceOf(made);
        const marked = questions.map((question, place) => ({
          ...question,
          relevant: (scores[place] ?? Number.NEGATIVE_INFINITY) > threshold,
        }));
        const relevant = marked.filter((question) => question.relevant).length;
        marks.unscored += scores.filter((score) => score === null).length;
        marks.unweighed += (weighed ?? []).filter((each) => each?.isWeighed === false).length;
        marks.foreignIntents += Number(scorer !== null && !isReranker(scorer) && isForeignTo(scorer, intent));
        if (scores.some((score) => score !== null)) answered.add(collection);
        if (relevant < least) {
          marks.dropped++;
          short.push(
            `Dropped of ${collection}: ${JSON.stringify(intent)}: ${relevant} of ${questions.length} questions above ${threshold}, fewer than ${least}; ${spread(scores)}.`,
          );
        } else {
          marks.kept++;
          marks.relevant += relevant;
          kept.push({ id: `${collection}/intent-${number}`, collection, intent, questions: marked });
        }
      }
      // Replace cases of an earlier run; a repeated intent keeps the results of later steps.
      const keyOf = ({ collection, intent }: BenchmarkCase) => JSON.stringify([collection, intent]);
      const isReplaced = (each: BenchmarkCase) => answered.has(each.collection) && isOfStep(each);
      const old = new Map(set.cases.filter(isReplaced).map((each) => [keyOf(each), each]));
      const cases = kept.map((each) => ({ ...old.get(keyOf(each)), ...each }));
      for (const each of cases) old.delete(keyOf(each));
      const lost = [...old.values()].filter(hasReferences).length;
      const collectionsWithoutQuestions = set.collections.length - asked.length;
      const counts = { ...asking, collectionsWithoutQuestions, ...marks };
      const isGuess = options.threshold === null && scorer !== null && !(scorerId in MEASURED);
      const notes = [
        `Kept ${marks.kept} of ${intents.length} intents (collections: ${asked.length}): those with ${least} relevant questions or more, scored above ${threshold} by ${scorerId}.`,
        ...(isGuess
          ? [
              `The threshold ${threshold} is a cosine found for another encoder: for ${scorerId} none was measured; look at the intents that are dropped, and say --threshold.`,
            ]
          : []),
        ...countNotes({ ...counts, lost }, NOTES_BY_COUNT),
        ...short,
      ];
      const whole = { ...set, cases: [...set.cases.filter((each) => !isReplaced(each)), ...cases] };
      return { set: cases.length === 0 ? null : whole, counts, notes };
    },
  };
}

function hasReferences({ insights, keyPoints, nuggets, passages, reference }: BenchmarkCase): boolean {
  return [insights, keyPoints, nuggets, passages, reference].some((each) => each !== undefined);
}

function spread(scores: readonly (number | null)[]): string {
  const sorted = scores.flatMap((score) => score ?? []).sort((a, b) => a - b);
  const most = sorted.at(-1);
  if (most === undefined) return 'there are no scores';
  const [median, p90] = [0.5, 0.9].map((share) => quantile(sorted, share).toFixed(3));
  return `scores have median ${median}, 90% quantile ${p90}, maximum ${most.toFixed(3)}`;
}
