import { asData, BYTES_PER_TOKEN } from '../../models/index.ts';
import { utf8Length } from '../../text/index.ts';
import { type AskedModel, type CallEstimate, type Protocol, yesProbability } from '../asking/asked-model.ts';
import { mapConcurrent } from '../asking/map-concurrent.ts';
import type { BenchmarkQuestion, BenchmarkSet } from '../benchmark-set.ts';
import { beginnings, type CollectionIntents, collectionIntents, intentsRoom } from './collection-intents.ts';

/** Scores of questions, in their order. */
interface WeighedRelevance {
  /** Null for a question that the model could not be brought to answer. */
  readonly scores: readonly (number | null)[];
  /** Questions whose score is 1 or 0, as the server tells no probabilities. */
  readonly unweighed: number;
}

/** How relevant questions are to an intent: how much likelier YES was than NO, one call each. */
async function weighedRelevance(
  intent: string,
  questions: readonly string[],
  model: AskedModel,
): Promise<WeighedRelevance> {
  const weighed = await mapConcurrent(
    questions.map((question) => () => {
      const values = { intent: asData('intent', intent), question: asData('question', question) };
      return yesProbability(model, { prompt: model.prompt('benchmark-relevance'), values });
    }),
  );
  return {
    scores: weighed.map((given) => given?.share ?? null),
    unweighed: weighed.filter((given) => given?.isWeighed === false).length,
  };
}

/** To be raised where the same answers make other cases. */
const VERSION = 1;

interface IntentsOptions {
  /** Intents for each collection. */
  readonly intents: number;
  /** Score above which a question is relevant. */
  readonly threshold: number;
  /** Relevant questions that an intent needs. */
  readonly least: number;
  /** Id of the scorer, or `llm`. */
  readonly scorer: string;
  /** Tokens that the model takes; how much of the documents is shown depends on it. */
  readonly contextTokens: number;
}

/** An intent with what the questions of its collection scored; null where that is not known yet. */
export interface MadeIntent {
  readonly collection: string;
  /** Its place among the intents of the collection, from 1. */
  readonly number: number;
  readonly intent: string;
  readonly questions: readonly BenchmarkQuestion[];
  readonly weighed: WeighedRelevance | null;
}

/** For the estimate alone: what an intent takes, the rules, and a question about relevance with its answer. */
const [INTENT_TOKENS, RULES_TOKENS, RELEVANCE_TOKENS, WORD_TOKENS] = [40, 420, 380, 3];

/**
 * What different readers would want to know of each collection that has questions (Padmakumar et al. 2025, section 4.1.3), and, where the
 * language model is to say so, how relevant its questions are to that.
 */
export function intentsProtocol(set: BenchmarkSet, options: IntentsOptions): Protocol<readonly MadeIntent[]> {
  const { contextTokens, ...own } = options;
  const isWeighed = options.scorer === 'llm';
  const asked = set.collections.filter(({ questions = [] }) => questions.length > 0);

  const questions = asked.reduce((sum, each) => sum + (each.questions?.length ?? 0), 0);
  /** One for each intent and question. */
  const weighings = isWeighed ? options.intents * questions : 0;

  async function make(model: AskedModel) {
    const given = await mapConcurrent(
      asked.map(
        ({ documents }) =>
          () =>
            collectionIntents(documents, options.intents, model),
      ),
    );
    const result: MadeIntent[] = [];
    for (const [place, { id: collection, questions = [] }] of asked.entries()) {
      for (const [before, intent] of given[place].intents.entries()) {
        const texts = questions.map(({ question }) => question);
        const weighed = isWeighed ? await weighedRelevance(intent, texts, model) : null;
        result.push({ collection, number: before + 1, intent, questions, weighed });
      }
    }
    return { result, counts: countsOf(given, options.intents, set.collections.length - asked.length) };
  }

  return {
    step: 'intents',
    version: VERSION,
    options: { ...own, context: contextTokens },
    // A collection that gave too few intents is asked once more.
    most: () => 2 * asked.length + weighings,
    expected(): CallEstimate {
      const room = intentsRoom(contextTokens, options.intents);
      const bytes = asked.reduce(
        (sum, each) => sum + utf8Length(beginnings(each.documents, room.documentBytes).text),
        0,
      );
      return {
        calls: asked.length + weighings,
        promptTokens: Math.ceil(bytes / BYTES_PER_TOKEN) + RULES_TOKENS * asked.length + RELEVANCE_TOKENS * weighings,
        completionTokens: INTENT_TOKENS * options.intents * asked.length + WORD_TOKENS * weighings,
      };
    },
    make,
  };
}

function countsOf(given: readonly CollectionIntents[], wanted: number, without: number): Record<string, number> {
  const sum = (of: (each: CollectionIntents) => number) => given.reduce((total, each) => total + of(each), 0);
  return {
    collections: given.length,
    collectionsWithoutQuestions: without,
    cutDocuments: sum(({ cut }) => cut),
    documentsNotShown: sum(({ notShown }) => notShown),
    intents: sum(({ intents }) => intents.length),
    unfit: sum(({ dropped }) => dropped.unfit),
    duplicates: sum(({ dropped }) => dropped.duplicates),
    nearDuplicates: sum(({ dropped }) => dropped.nearDuplicates),
    surplus: sum(({ surplus }) => surplus),
    missing: sum(({ intents }) => wanted - intents.length),
  };
}
