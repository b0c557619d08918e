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
import { contentStems, type SourceDocument, sentences, utf8Length, windows } from '../../text/index.ts';
import type { BenchmarkCase, BenchmarkSet } from '../benchmark-set.ts';
import { type AskedModel, listForm, readLine } from './asked-model.ts';
import { type Maker, summed, UnfitSetError } from './maker.ts';
import { jaccard } from './merge-points.ts';
import { folded, SAFE_BYTES_PER_TOKEN } from './questions.ts';

/** Bytes of markup around a document, and min bytes shown of one. */
const [AROUND, MIN_SHOWN] = [100, 200];

/** Titles and beginnings of documents within a UTF-8 byte limit, in equal shares; too many documents are sampled at even distances. */
export function beginnings(documents: readonly SourceDocument[], bytes: number) {
  const whole = documents.map(({ title, text }) => (title === undefined ? text : `${title}\n\n${text}`));
  const count = Math.min(Math.max(1, Math.floor(bytes / (AROUND + MIN_SHOWN))), whole.length);
  const share = Math.floor(bytes / count) - AROUND;
  const shown = Array.from({ length: count }, (_, place) => whole[Math.floor((place * whole.length) / count)]);
  const isCut = (text: string) => utf8Length(text) > share;
  const texts = shown.map((text, place) => {
    const [first] = isCut(text) ? windows(text, { bytes: share, overlapBytes: 0 }) : [];
    return asData('document', first === undefined ? text : `${text.slice(0, first.end)} […]`, place + 1);
  });
  const counts = { cutDocuments: shown.filter(isCut).length, documentsNotShown: whole.length - count };
  return { text: texts.join('\n\n'), counts };
}

const MAX_WORDS = 60;
/** Jaccard similarity of content words above which two intents are duplicates. */
const NEAR = 0.7;

/** Accepts single sentences that are no near duplicates of accepted ones (Padmakumar et al. 2025, appendix B.2). */
export function intentChecker() {
  const known = new Map<string, ReadonlySet<string>>();
  return (intent: string) => {
    const key = folded(intent);
    if (key === '' || sentences(intent).length > 1 || countWords(intent) > MAX_WORDS) return 'unfit';
    if (known.has(key)) return 'duplicates';
    const words = contentStems(intent);
    if ([...known.values()].some((others) => jaccard(words, others) >= NEAR)) return 'nearDuplicates';
    known.set(key, words);
    return null;
  };
}

const INTENTS = listForm('intents', 'intents', readLine);

const RULES_TOKENS = 600;
const [MIN_BYTES, MAX_BYTES] = [400, 64_000];
const DOCUMENTS = 0.85;

function answerTokens(contextTokens: number, intents: number): number {
  return Math.min(100 + 120 * intents, Math.floor(contextTokens / 3));
}

function shownDocuments(documents: readonly SourceDocument[], intents: number, contextTokens: number) {
  const bytes = SAFE_BYTES_PER_TOKEN * (contextTokens - RULES_TOKENS - answerTokens(contextTokens, intents));
  return beginnings(documents, Math.min(MAX_BYTES, Math.max(MIN_BYTES, Math.floor(DOCUMENTS * bytes))));
}

/** Padmakumar et al. 2025, section 4.1.3. */
async function collectionIntents(documents: readonly SourceDocument[], count: number, model: AskedModel) {
  const shown = shownDocuments(documents, count, model.contextTokens);
  const values = { documents: shown.text, count: String(count) };
  const given = await model.json('benchmark-intents', values, answerTokens(model.contextTokens, count), INTENTS);
  const check = intentChecker();
  const dropped = { unfit: 0, duplicates: 0, nearDuplicates: 0 };
  const found = (given ?? []).filter((intent) => {
    const fault = check(intent);
    if (fault !== null) dropped[fault]++;
    return fault === null;
  });
  const intents = found.slice(0, count);
  const [surplus, missing] = [found.length - intents.length, count - intents.length];
  return {
    intents,
    counts: { collections: 1, ...shown.counts, intents: intents.length, ...dropped, surplus, missing },
  };
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

type Scores = readonly (number | null)[];

/** Cosines (Padmakumar et al. 2025, section 4.1.3), scores of a reranker, or probabilities of YES. */
async function scored(
  intent: string,
  questions: readonly string[],
  scorer: RelevanceScorer | null,
  model: AskedModel,
  cache: WorkCache,
): Promise<{ readonly scores: Scores; readonly unweighed: number }> {
  if (scorer === null) {
    const ask = (question: string) =>
      model.yes('benchmark-relevance', { intent: asData('intent', intent), question: asData('question', question) });
    const answers = await Promise.all(questions.map(ask));
    const unweighed = answers.filter((each) => each?.isWeighed === false).length;
    return { scores: answers.map((each) => each?.share ?? null), unweighed };
  }
  // The estimate counts calls of the language model alone.
  if (model.isTrial) return { scores: [], unweighed: 0 };
  if (isReranker(scorer)) return { scores: [...(await scorer.score(intent, questions))], unweighed: 0 };
  const [asked] = await encodeQueries(scorer, [intent]);
  const { sentences: vectors } = await encodeTexts(scorer, cache, questions);
  return { scores: vectors.map((vector) => vectorCosine(asked.sentence, vector)), unweighed: 0 };
}

/** Replaces cases that this step made of the collections; a repeated intent keeps the results of later steps. */
function withIntents(set: BenchmarkSet, made: readonly BenchmarkCase[], collections: ReadonlySet<string>) {
  const keyOf = ({ collection, intent }: BenchmarkCase) => JSON.stringify([collection, intent]);
  const isReplaced = ({ id, collection }: BenchmarkCase) =>
    collections.has(collection) && /^\/intent-\d+$/.test(id.startsWith(collection) ? id.slice(collection.length) : '');
  const old = new Map(set.cases.filter(isReplaced).map((each) => [keyOf(each), each]));
  const others = set.cases.filter((each) => !isReplaced(each));
  return { ...set, cases: [...others, ...made.map((each) => ({ ...old.get(keyOf(each)), ...each }))] };
}

const [INTENT_TOKENS, RELEVANCE_TOKENS, WORD_TOKENS] = [40, 380, 3];

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
    ...{ step: 'intents', version: 2 },
    options: { intents: count, threshold, least, scorer: scorerId },
    expected: (contextTokens) =>
      asked.flatMap(({ documents, questions }) => {
        const tokens = utf8Length(shownDocuments(documents, count, contextTokens).text) / BYTES_PER_TOKEN;
        return [
          [1, RULES_TOKENS + tokens, INTENT_TOKENS * count],
          [scorer === null ? count * questions.length : 0, RELEVANCE_TOKENS, WORD_TOKENS],
        ] as const;
      }),
    async make(model) {
      const given = await Promise.all(asked.map(({ documents }) => collectionIntents(documents, count, model)));
      const kept: BenchmarkCase[] = [];
      const notes: string[] = [];
      const answered = new Set<string>();
      const marks = { kept: 0, dropped: 0, relevant: 0, unscored: 0, unweighed: 0, foreignIntents: 0 };
      // Sequential: a scorer uses the whole machine.
      for (const [place, { id: collection, questions }] of asked.entries()) {
        for (const [before, intent] of given[place].intents.entries()) {
          const texts = questions.map(({ question }) => question);
          const { scores, unweighed } = await scored(intent, texts, scorer, model, cache);
          const isRelevant = (at: number) => (scores[at] ?? Number.NEGATIVE_INFINITY) > threshold;
          const marked = questions.map((question, at) => ({ ...question, relevant: isRelevant(at) }));
          const relevant = marked.filter((question) => question.relevant).length;
          marks.unscored += scores.filter((score) => score === null).length;
          marks.unweighed += unweighed;
          marks.foreignIntents += Number(scorer !== null && !isReranker(scorer) && isForeignTo(scorer, intent));
          if (scores.some((score) => score !== null)) answered.add(collection);
          if (relevant >= least) {
            marks.kept++;
            marks.relevant += relevant;
            kept.push({ id: `${collection}/intent-${before + 1}`, collection, intent, questions: marked });
          } else {
            marks.dropped++;
            notes.push(
              `Dropped of ${collection}: ${JSON.stringify(intent)}: ${relevant} of ${questions.length} questions above ${threshold}, fewer than ${least}.`,
            );
          }
        }
      }
      return {
        set: kept.length === 0 ? null : withIntents(set, kept, answered),
        counts: { ...summed(given.map(({ counts }) => counts)), ...marks },
        notes,
      };
    },
  };
}
