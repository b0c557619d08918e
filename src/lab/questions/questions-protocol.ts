import { BYTES_PER_TOKEN } from '../../models/index.ts';
import { utf8Length } from '../../text/index.ts';
import type { AskedModel, CallEstimate, Protocol } from '../asking/asked-model.ts';
import { mapConcurrent } from '../asking/map-concurrent.ts';
import type { BenchmarkQuestion, BenchmarkSet } from '../benchmark-set.ts';
import { type DocumentQuestions, documentQuestions } from './document-questions.ts';
import { type ReadingWindow, readingRoom, readingWindows } from './reading-windows.ts';

/** To be raised where the same answers make other questions. */
const VERSION = 1;

interface QuestionsOptions {
  /** Questions for each document. */
  readonly questions: number;
  /** Documents that are read, the first of the set; null for all. */
  readonly limit: number | null;
  /** Tokens that the model takes; the windows depend on it. */
  readonly contextTokens: number;
}

/** Questions of the collections that were read, by the id of the collection. */
export type QuestionsByCollection = ReadonlyMap<string, readonly BenchmarkQuestion[]>;

/** What a question and its answer take, and the rules: for the estimate alone. */
const [PAIR_TOKENS, RULES_TOKENS] = [50, 450];

/** Factual questions for each document of a set (Padmakumar et al. 2025, section 4.1.2). */
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
    longAnswers: sum(({ dropped }) => dropped.longAnswers),
    duplicates: sum(({ dropped }) => dropped.duplicates),
    ungrounded: sum(({ dropped }) => dropped.ungrounded),
    surplus: sum(({ surplus }) => surplus),
    shortDocuments: made.filter(({ questions }) => questions.length < wanted).length,
    missing: sum(({ questions }) => wanted - questions.length),
  };
}
