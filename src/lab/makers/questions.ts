import { z } from 'zod';
import { BYTES_PER_TOKEN } from '../../models/index.ts';
import { countWords } from '../../summary/index.ts';
import { groupBy, type SourceDocument, utf8Length } from '../../text/index.ts';
import { type BenchmarkCase, type BenchmarkQuestion, type BenchmarkSet, QUESTION_KINDS } from '../benchmark-set.ts';
import { type AskedModel, listForm, readLine, shownParts } from './asked-model.ts';
import { type Maker, summed } from './maker.ts';

const pair = z.object({ question: readLine, answer: readLine, kind: z.enum(QUESTION_KINDS).catch('fact') });
type GivenQuestion = z.infer<typeof pair>;
const QUESTIONS = listForm('questions', 'questions', pair);

/** Padmakumar et al. 2025, appendix A.1. */
const MAX_QUESTION_WORDS = 14;

export function folded(text: string): string {
  const words = text
    .normalize('NFKC')
    .toLowerCase()
    .match(/[\p{L}\p{M}\p{N}]+/gu);
  return words?.join(' ') ?? '';
}

/** Why a question cannot be used, by the name of its count. Only usable questions count as originals of duplicates. */
function questionChecker() {
  const known = new Set<string>();
  return ({ question, answer }: GivenQuestion) => {
    const key = folded(question);
    if (key === '' || !/[\p{L}\p{N}]/u.test(answer)) return 'empty';
    if (countWords(question) > MAX_QUESTION_WORDS) return 'longQuestions';
    if (known.has(key)) return 'duplicates';
    known.add(key);
    return null;
  };
}

/** Models overlook more in longer windows. */
const MAX_WINDOW_BYTES = 32_000;
const MIN_BYTES = 200;
/** Conservative for most scripts. */
export const SAFE_BYTES_PER_TOKEN = 2;
const RULES_TOKENS = 600;
const [WINDOW, OVERLAP] = [0.8, 0.1];
const PAIR_TOKENS = 50;

function answerTokens(contextTokens: number, questions: number): number {
  return Math.min(100 + 150 * questions, Math.floor(contextTokens / 3));
}

/** Windows that fit the context, each with the number of questions to request: its share, rounded up. */
function readingWindows(document: SourceDocument, questions: number, contextTokens: number) {
  const tokens = contextTokens - RULES_TOKENS - answerTokens(contextTokens, questions);
  const room = Math.floor(WINDOW * SAFE_BYTES_PER_TOKEN * tokens);
  const bytes = Math.min(MAX_WINDOW_BYTES, Math.max(MIN_BYTES, room));
  const parts = shownParts(document, bytes, Math.floor(OVERLAP * bytes));
  return parts.map(({ shown, share }) => ({ shown, asked: Math.ceil(questions * share) }));
}

/**
 * Requests factual and reasoning questions on a document (Padmakumar et al. 2025, section 4.1.2 and appendix A.1), one
 * call per window, and takes them from its beginning to its end.
 */
async function documentQuestions(document: SourceDocument, count: number, model: AskedModel) {
  const parts = readingWindows(document, count, model.contextTokens);
  const given = await Promise.all(
    parts.map(({ shown, asked }) => {
      const values = { document: shown, count: String(asked) };
      return model.json('benchmark-questions', values, answerTokens(model.contextTokens, asked), QUESTIONS);
    }),
  );
  const faultOf = questionChecker();
  const dropped = { empty: 0, longQuestions: 0, duplicates: 0 };
  const usable = given
    .flatMap((each) => each ?? [])
    .filter((each) => {
      const fault = faultOf(each);
      if (fault !== null) dropped[fault]++;
      return fault === null;
    });
  const kept = Math.min(count, usable.length);
  const questions = Array.from({ length: kept }, (_, place) => usable[Math.floor((place * usable.length) / kept)]);
  return {
    questions,
    counts: {
      ...{ documents: 1, windows: parts.length, questions: kept, ...dropped },
      reasoning: questions.filter(({ kind }) => kind === 'reasoning').length,
      ...{ surplus: usable.length - kept, shortDocuments: Number(kept < count), missing: count - kept },
    },
  };
}

/** Adds questions to collections, each with one case without an intent. Documents without new questions keep earlier ones. */
function withQuestions(set: BenchmarkSet, made: ReadonlyMap<string, readonly BenchmarkQuestion[]>): BenchmarkSet {
  const united = (before: readonly BenchmarkQuestion[] = [], own: readonly BenchmarkQuestion[]) => {
    const again = new Set(own.map(({ document }) => document));
    return [...before.filter(({ document }) => !again.has(document)), ...own].sort((a, b) => a.position - b.position);
  };
  const earlier = new Map(set.collections.map(({ id, questions }) => [id, questions]));
  const withOwn = <Of extends Pick<BenchmarkCase, 'questions'>>(of: Of, id: string): Of => {
    const own = made.get(id);
    return own === undefined ? of : { ...of, questions: united(of.questions ?? earlier.get(id), own) };
  };
  const collections = set.collections.map((each) => withOwn(each, each.id));
  const cases = set.cases.map((each) => (each.intent === undefined ? withOwn(each, each.collection) : each));
  const ids = new Set(set.cases.map(({ id }) => id));
  const hasOpenCase = (id: string) => set.cases.some((each) => each.collection === id && each.intent === undefined);
  const added = collections.flatMap(({ id, questions }) =>
    !made.has(id) || hasOpenCase(id) ? [] : [{ id: ids.has(id) ? `${id}/all` : id, collection: id, questions }],
  );
  return { ...set, collections, cases: [...cases, ...added] };
}

/** Questions for each document (Padmakumar et al. 2025, section 4.1.2). */
export function questionsMaker(
  set: BenchmarkSet,
  options: { readonly questions: number /** Documents to read; null for all. */; readonly limit: number | null },
): Maker {
  const { questions: count, limit } = options;
  const read = set.collections
    .flatMap(({ id, documents }) => documents.map((document, position) => ({ collection: id, document, position })))
    .slice(0, limit ?? undefined);
  return {
    ...{ step: 'questions', version: 3, options },
    expected: (contextTokens) =>
      read
        .flatMap(({ document }) => readingWindows(document, count, contextTokens))
        .map(({ shown, asked }) => [1, RULES_TOKENS + utf8Length(shown) / BYTES_PER_TOKEN, PAIR_TOKENS * asked]),
    async make(model) {
      const answers = await Promise.all(read.map(({ document }) => documentQuestions(document, count, model)));
      const made = read.flatMap(({ collection, document, position }, place) =>
        answers[place].questions.map((each) => ({ collection, made: { ...each, document: document.id, position } })),
      );
      const byCollection = groupBy(made, ({ collection }) => collection);
      const questions = new Map([...byCollection].map(([id, own]) => [id, own.map((each) => each.made)]));
      return {
        set: made.length === 0 ? null : withQuestions(set, questions),
        counts: summed(answers.map(({ counts }) => counts)),
        notes: [],
      };
    },
  };
}
