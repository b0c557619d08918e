import { isForeignTo } from '../../evaluation/index.ts';
import {
  asData,
  BYTES_PER_TOKEN,
  encodeQueries,
  encodeTexts,
  isReranker,
  type RelevanceScorer,
  type WorkCache,
} from '../../models/index.ts';
import { vectorCosine } from '../../selection/index.ts';
import { countWords } from '../../summary/index.ts';
import { contentStems, type SourceDocument, sentences, utf8Length, wordSet } from '../../text/index.ts';
import type { BenchmarkCase, BenchmarkSet } from '../benchmark-set.ts';
import { type AskedModel, beginnings, listForm, readLine, usable } from './asked-model.ts';
import { type Maker, UnfitSetError } from './maker.ts';
import { jaccard } from './merge-points.ts';

const MAX_WORDS = 60;
/** Jaccard similarity of content words above which two intents are duplicates. */
const NEAR = 0.7;

/** The fault of an intent: only single sentences pass, and no near duplicates of those before (Padmakumar et al. 2025, appendix B.2). */
export function intentChecker() {
  const known = new Map<string, ReadonlySet<string>>();
  return (intent: string) => {
    const key = [...wordSet(intent)].join(' ');
    if (key === '' || sentences(intent).length > 1 || countWords(intent) > MAX_WORDS) return 'unfit';
    const words = contentStems(intent);
    if (known.has(key) || [...known.values()].some((others) => jaccard(words, others) >= NEAR)) return 'duplicates';
    known.set(key, words);
    return null;
  };
}

const INTENTS = listForm('intents', 'intents', readLine);

/** Padmakumar et al. 2025, section 4.1.3. */
async function collectionIntents(documents: readonly SourceDocument[], count: number, model: AskedModel) {
  const values = { documents: beginnings(documents, model.contextTokens), count: String(count) };
  const given = await model.json('benchmark-intents', values, 100 + 120 * count, INTENTS);
  const intents = usable(given ?? [], model, intentChecker()).slice(0, count);
  model.count('missing', count - intents.length);
  return intents;
}

/** Padmakumar et al. 2025, appendix B.2: cosines of e5-mistral-7b-instruct. */
const PAPER_THRESHOLD = 0.6;

/**
 * Cosine threshold of relevance, by best balanced accuracy (ArgKP: 207 relevant and 1,035 other pairs): 0.954 at 0.37
 * (95.2% and 4.4% pass); at 0.6, 56.5% and 0.0% pass. Within one subject (QMSum: 24 and 1,336 pairs) 100% and 37.4%
 * pass.
 */
const MEASURED: Readonly<Record<string, number>> = { 'transformers/all-MiniLM-L6-v2/q8/2': 0.37 };

interface IntentsOptions {
  readonly intents: number;
  /** Min score of a relevant question; null for the scorer's default. */
  readonly threshold: number | null;
  readonly least: number;
  /** Null to ask the language model. */
  readonly scorer: RelevanceScorer | null;
}

/** Cosines (Padmakumar et al. 2025, section 4.1.3), scores of a reranker, or probabilities of YES; null for those that cannot be read. */
async function scored(
  intent: string,
  questions: readonly string[],
  scorer: RelevanceScorer | null,
  model: AskedModel,
  cache: WorkCache,
): Promise<readonly (number | null)[]> {
  if (scorer === null) {
    const ask = (question: string) =>
      model.yes('benchmark-relevance', { intent: asData('intent', intent), question: asData('question', question) });
    return Promise.all(questions.map(ask));
  }
  // The estimate counts calls of the language model alone.
  if (model.isTrial) return [];
  if (isReranker(scorer)) return [...(await scorer.score(intent, questions))];
  model.count('foreignIntents', Number(isForeignTo(scorer, intent)));
  const [asked] = await encodeQueries(scorer, [intent]);
  const { sentences: vectors } = await encodeTexts(scorer, cache, questions);
  return vectors.map((vector) => vectorCosine(asked.sentence, vector));
}

/** Replaces cases that this step made of the same collections; a repeated intent keeps the results of later steps. */
function withIntents(set: BenchmarkSet, made: readonly BenchmarkCase[]): BenchmarkSet {
  const keyOf = ({ collection, intent }: BenchmarkCase) => JSON.stringify([collection, intent]);
  const again = new Set(made.map(({ collection }) => collection));
  const isReplaced = ({ id, collection }: BenchmarkCase) =>
    again.has(collection) && id.startsWith(collection) && /^\/intent-\d+$/.test(id.slice(collection.length));
  const old = new Map(set.cases.filter(isReplaced).map((each) => [keyOf(each), each]));
  const others = set.cases.filter((each) => !isReplaced(each));
  return { ...set, cases: [...others, ...made.map((each) => ({ ...old.get(keyOf(each)), ...each }))] };
}

const TOKENS = { rules: 600, intent: 40, relevance: 380, word: 3 };

/**
 * Makes intents for each collection with questions, and marks the relevant questions (Padmakumar et al. 2025, section
 * 4.1.3).
 * @throws UnfitSetError if no collection has questions
 */
export function intentsMaker(
  set: BenchmarkSet,
  { intents: count, least, scorer, ...options }: IntentsOptions,
  cache: WorkCache,
): Maker {
  const asked = set.collections.flatMap(({ id, documents, questions = [] }) =>
    questions.length === 0 ? [] : [{ id, documents, questions }],
  );
  if (asked.length === 0) throw new UnfitSetError('Its collections have no questions; run benchmark questions first.');
  const scorerId = scorer?.profile.id ?? 'llm';
  const threshold = options.threshold ?? MEASURED[scorerId] ?? PAPER_THRESHOLD;
  return {
    ...{ step: 'intents', version: 3 },
    options: { intents: count, threshold, least, scorer: scorerId },
    expected: (contextTokens) =>
      asked.flatMap(({ documents, questions }) => {
        const tokens = utf8Length(beginnings(documents, contextTokens)) / BYTES_PER_TOKEN;
        return [
          [1, TOKENS.rules + tokens, TOKENS.intent * count],
          [scorer === null ? count * questions.length : 0, TOKENS.relevance, TOKENS.word],
        ] as const;
      }),
    async make(model) {
      const given = await Promise.all(asked.map(({ documents }) => collectionIntents(documents, count, model)));
      const kept: BenchmarkCase[] = [];
      // Sequential: a scorer uses the whole machine.
      for (const [place, { id: collection, questions }] of asked.entries()) {
        for (const [before, intent] of given[place].entries()) {
          const texts = questions.map(({ question }) => question);
          const scores = await scored(intent, texts, scorer, model, cache);
          const isRelevant = (at: number) => (scores[at] ?? Number.NEGATIVE_INFINITY) > threshold;
          const marked = questions.map((question, at) => ({ ...question, relevant: isRelevant(at) }));
          const relevant = marked.filter((question) => question.relevant).length;
          model.count(relevant < least ? 'dropped' : 'kept');
          if (relevant < least) continue;
          model.count('relevant', relevant);
          kept.push({ id: `${collection}/intent-${before + 1}`, collection, intent, questions: marked });
        }
      }
      return kept.length === 0 ? null : withIntents(set, kept);
    },
  };
}
