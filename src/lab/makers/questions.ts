import { z } from 'zod';
import { BYTES_PER_TOKEN } from '../../models/index.ts';
import { countWords } from '../../summary/index.ts';
import { groupBy, type SourceDocument, utf8Length } from '../../text/index.ts';
import { type BenchmarkCase, type BenchmarkQuestion, type BenchmarkSet, QUESTION_KINDS } from '../benchmark-set.ts';
import { type AskedModel, answerRoom, listForm, readLine, shownParts, usable } from './asked-model.ts';
import type { Maker } from './maker.ts';

const pair = z.object({ question: readLine, answer: readLine, kind: z.enum(QUESTION_KINDS).catch('fact') });
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

/** Models overlook more in longer windows. */
const MAX_WINDOW_BYTES = 32_000;
const MIN_BYTES = 200;
/** Conservative for most scripts. */
export const SAFE_BYTES_PER_TOKEN = 2;
const RULES_TOKENS = 600;
const [WINDOW, OVERLAP] = [0.8, 0.1];
const PAIR_TOKENS = 50;

function answerTokens(questions: number): number {
  return 100 + 150 * questions;
}

/** Windows that fit the context, each with the number of questions to request: its share, rounded up. */
function readingWindows(document: SourceDocument, questions: number, contextTokens: number) {
  const tokens = contextTokens - RULES_TOKENS - answerRoom(contextTokens, answerTokens(questions));
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
  const given = await Promise.all(
    readingWindows(document, count, model.contextTokens).map(({ shown, asked }) => {
      const values = { document: shown, count: String(asked) };
      return model.json('benchmark-questions', values, answerTokens(asked), QUESTIONS);
    }),
  );
  const known = new Set<string>();
  const found = usable(given.flat(), model, ({ question, answer }) => {
    const key = folded(question);
    if (key === '' || !/[\p{L}\p{N}]/u.test(answer)) return 'empty';
    if (countWords(question) > MAX_QUESTION_WORDS) return 'longQuestions';
    if (known.has(key)) return 'duplicates';
    known.add(key);
    return null;
  });
  const kept = Math.min(count, found.length);
  model.count('questions', kept);
  model.count('missing', count - kept);
  return Array.from({ length: kept }, (_, place) => found[Math.floor((place * found.length) / kept)]);
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
        answers[place].map((each) => ({ collection, made: { ...each, document: document.id, position } })),
      );
      const byCollection = groupBy(made, ({ collection }) => collection);
      const questions = new Map([...byCollection].map(([id, own]) => [id, own.map((each) => each.made)]));
      return { set: made.length === 0 ? null : withQuestions(set, questions), notes: [] };
    },
  };
}
