import { z } from 'zod';
import { BYTES_PER_TOKEN } from '../../models/index.ts';
import { countWords } from '../../summary/index.ts';
import { type SourceDocument, utf8Length, wordSet } from '../../text/index.ts';
import { type BenchmarkCase, type BenchmarkQuestion, type BenchmarkSet, QUESTION_KINDS } from '../benchmark-set.ts';
import { type AskedModel, listForm, readLine, shownParts, usable } from './asked-model.ts';
import type { Maker } from './maker.ts';

const pair = z.object({ question: readLine, answer: readLine, kind: z.enum(QUESTION_KINDS).catch('fact') });
const QUESTIONS = listForm('questions', 'questions', pair);

/** Padmakumar et al. 2025, appendix A.1. */
const MAX_QUESTION_WORDS = 14;

const TOKENS = { rules: 600, pair: 50 };

/**
 * Requests factual and reasoning questions on a document (Padmakumar et al. 2025, section 4.1.2 and appendix A.1), one
 * call per part, and takes them from its beginning to its end.
 */
async function documentQuestions(document: SourceDocument, position: number, count: number, model: AskedModel) {
  const given = await Promise.all(
    shownParts(document, count, model.contextTokens).map(({ shown, asked }) => {
      const values = { document: shown, count: String(asked) };
      return model.json('benchmark-questions', values, 100 + 150 * asked, QUESTIONS);
    }),
  );
  const known = new Set<string>();
  const found = usable(given.flat(), model, ({ question, answer }) => {
    const key = [...wordSet(question)].join(' ');
    if (key === '' || !/[\p{L}\p{N}]/u.test(answer)) return 'empty';
    if (countWords(question) > MAX_QUESTION_WORDS) return 'longQuestions';
    if (known.has(key)) return 'duplicates';
    known.add(key);
    return null;
  });
  const kept = Math.min(count, found.length);
  model.count('questions', kept);
  model.count('missing', count - kept);
  return Array.from({ length: kept }, (_, place): BenchmarkQuestion => {
    return { ...found[Math.floor((place * found.length) / kept)], document: document.id, position };
  });
}

/**
 * Adds questions to collections and to their cases without an intent, or to one that is added. Cases without questions
 * of their own get all of the collection's; documents without new questions keep earlier ones.
 */
function withQuestions(set: BenchmarkSet, made: ReadonlyMap<string, readonly BenchmarkQuestion[]>): BenchmarkSet {
  const united = (id: string, before: readonly BenchmarkQuestion[] = []) => {
    const own = made.get(id) ?? [];
    const again = new Set(own.map(({ document }) => document));
    return [...before.filter(({ document }) => !again.has(document)), ...own].sort((a, b) => a.position - b.position);
  };
  const earlier = new Map(set.collections.map(({ id, questions }) => [id, questions]));
  const questions = new Map([...made.keys()].map((id) => [id, united(id, earlier.get(id))]));
  const collections = set.collections.map((each) => ({ ...each, questions: questions.get(each.id) ?? each.questions }));
  const isOpen = ({ collection, intent }: BenchmarkCase) => intent === undefined && questions.has(collection);
  const cases = set.cases.map((each) => {
    if (!isOpen(each)) return each;
    return { ...each, questions: united(each.collection, each.questions ?? earlier.get(each.collection)) };
  });
  const ids = new Set(cases.map(({ id }) => id));
  const asked = new Set(cases.filter(isOpen).map(({ collection }) => collection));
  const added = [...questions].flatMap(([collection, own]) =>
    asked.has(collection)
      ? []
      : [{ id: ids.has(collection) ? `${collection}/all` : collection, collection, questions: own }],
  );
  return { ...set, collections, cases: [...cases, ...added] };
}

/** Questions for each document (Padmakumar et al. 2025, section 4.1.2). */
export function questionsMaker(set: BenchmarkSet, options: { readonly questions: number }): Maker {
  const { questions: count } = options;
  return {
    ...{ step: 'questions', version: 4, options },
    expected: (contextTokens) =>
      set.collections
        .flatMap(({ documents }) => documents.flatMap((document) => shownParts(document, count, contextTokens)))
        .map(({ shown, asked }) => [1, TOKENS.rules + utf8Length(shown) / BYTES_PER_TOKEN, TOKENS.pair * asked]),
    async make(model) {
      const made = await Promise.all(
        set.collections.map(async ({ id, documents }) => {
          const lists = documents.map((document, position) => documentQuestions(document, position, count, model));
          return [id, (await Promise.all(lists)).flat()] as const;
        }),
      );
      const questions = new Map(made.filter(([, own]) => own.length > 0));
      return questions.size === 0 ? null : withQuestions(set, questions);
    },
  };
}
