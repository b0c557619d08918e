import { BYTES_PER_TOKEN } from '../../models/index.ts';
import { utf8Length } from '../../text/index.ts';
import type { AskedModel, CallEstimate, Protocol } from '../asking/asked-model.ts';
import { mapConcurrent } from '../asking/map-concurrent.ts';
import type { BenchmarkCase, BenchmarkQuestion, BenchmarkSet } from '../benchmark-set.ts';
import { type DocumentQuestions, documentQuestions } from './document-questions.ts';
import { type ReadingWindow, readingRoom, readingWindows } from './reading-windows.ts';

/**
 * Cases whose id a collection that has no case without an intent would need for its own.
 *
 * @returns their ids
 */
export function takenIds({ collections, cases }: BenchmarkSet): string[] {
  const open = collections.filter(({ id }) => cases.every((each) => !isOpen(each, id)));
  const ids = new Set(cases.map(({ id }) => id));
  return open.flatMap(({ id }) => (ids.has(id) ? [id] : []));
}

/**
 * The set with its questions: in the collections, and in their cases without an intent, of which each collection with questions has
 * one at least, named as the collection. Earlier questions of documents that were not read, or gave none now, stay.
 */
export function withQuestions(set: BenchmarkSet, questions: QuestionsByCollection): BenchmarkSet {
  const collections = set.collections.map((collection) => {
    const own = questions.get(collection.id);
    return own === undefined ? collection : { ...collection, questions: united(collection.questions, own) };
  });
  const earlier = new Map(set.collections.map(({ id, questions: before }) => [id, before]));
  const cases = set.cases.map((each) => {
    const own = questions.get(each.collection);
    return own === undefined || !isOpen(each, each.collection)
      ? each
      : { ...each, questions: united(each.questions ?? earlier.get(each.collection), own) };
  });
  const added = collections.flatMap(({ id, questions: own = [] }): BenchmarkCase[] => {
    if (!questions.has(id)) return [];
    return own.length === 0 || cases.some((each) => isOpen(each, id)) ? [] : [{ id, collection: id, questions: own }];
  });
  return { ...set, collections, cases: [...cases, ...added] };
}

/** The made questions and those before of documents that have none among them, in order of the documents. */
function united(before: readonly BenchmarkQuestion[] = [], made: readonly BenchmarkQuestion[]): BenchmarkQuestion[] {
  const again = new Set(made.map(({ document }) => document));
  const stay = before.filter(({ document }) => !again.has(document));
  return [...stay, ...made].sort((a, b) => a.position - b.position);
}

/** Whether a case asks what there is in a collection. */
function isOpen({ collection, intent }: BenchmarkCase, id: string): boolean {
  return collection === id && intent === undefined;
}

/** To be raised where the same answers make other questions. */
const VERSION = 2;

interface QuestionsOptions {
  /** Questions for each document. */
  readonly questions: number;
  /** Documents that are read, the first of the set; null for all. */
  readonly limit: number | null;
  /** Tokens that the model takes; the windows depend on it. */
  readonly contextTokens: number;
}

/** Questions of the collections that were read, by the id of the collection. */
type QuestionsByCollection = ReadonlyMap<string, readonly BenchmarkQuestion[]>;

/** What a question and its answer take, and the rules: for the estimate alone. */
const [PAIR_TOKENS, RULES_TOKENS] = [50, 450];

/** Questions for each document of a set (Padmakumar et al. 2025, section 4.1.2). */
export function questionsProtocol(set: BenchmarkSet, options: QuestionsOptions): Protocol<QuestionsByCollection> {
  const { questions: count, limit, contextTokens } = options;
  const read = set.collections
    .flatMap(({ id, documents }) => documents.map((document, position) => ({ collection: id, document, position })))
    .slice(0, limit ?? undefined);

  async function make(model: AskedModel) {
    const made = await mapConcurrent(
      read.map(
        ({ document }) =>
          () =>
            documentQuestions(document, count, model),
      ),
    );
    const result = new Map<string, BenchmarkQuestion[]>();
    read.forEach(({ collection, document, position }, place) => {
      const own = made[place].questions.map((each) => ({ ...each, document: document.id, position }));
      result.set(collection, [...(result.get(collection) ?? []), ...own]);
    });
    return { result, counts: countsOf(made, count) };
  }

  function windowsOf(): readonly ReadingWindow[] {
    const room = readingRoom(contextTokens, count);
    return read.flatMap(({ document }) => readingWindows(document, count, room));
  }

  return {
    step: 'questions',
    version: VERSION,
    options: { questions: count, limit, context: contextTokens },
    expected(): CallEstimate {
      const windows = windowsOf();
      const bytes = windows.reduce((sum, { shown }) => sum + utf8Length(shown), 0);
      const asked = windows.reduce((sum, window) => sum + window.asked, 0);
      return {
        calls: windows.length,
        promptTokens: Math.ceil(bytes / BYTES_PER_TOKEN) + RULES_TOKENS * windows.length,
        completionTokens: PAIR_TOKENS * asked,
      };
    },
    // A window that gave too few questions is asked once more.
    most: () => 2 * windowsOf().length,
    make,
  };
}

function countsOf(made: readonly DocumentQuestions[], wanted: number): Record<string, number> {
  const sum = (of: (each: DocumentQuestions) => number) => made.reduce((total, each) => total + of(each), 0);
  return {
    documents: made.length,
    windows: sum(({ windows }) => windows),
    questions: sum(({ questions }) => questions.length),
    empty: sum(({ dropped }) => dropped.empty),
    longQuestions: sum(({ dropped }) => dropped.longQuestions),
    reasoning: sum(({ questions }) => questions.filter(({ kind }) => kind === 'reasoning').length),
    duplicates: sum(({ dropped }) => dropped.duplicates),
    ungrounded: sum(({ dropped }) => dropped.ungrounded),
    surplus: sum(({ surplus }) => surplus),
    shortDocuments: made.filter(({ questions }) => questions.length < wanted).length,
    missing: sum(({ questions }) => wanted - questions.length),
  };
}
