import { canonicalJson } from '../../contract/index.ts';
import { type Random, shuffled } from '../../selection/index.ts';
import { countWords } from '../../summary/index.ts';
import { contentHash, type Span } from '../../text/index.ts';
import type { BenchmarkCase, Making } from '../benchmark-set.ts';
import { COLLECTION } from './assemble-haystack.ts';
import { type DealingOptions, dealStatements } from './deal-statements.ts';
import { drawsFor } from './draws.ts';
import type { Haystack } from './haystack-options.ts';
import { HAYSTACK_VERSION } from './haystack-protocol.ts';
import { documentId } from './plan-documents.ts';
import { type LabelledStatement, type PooledStatement, type StatementPool, statementPool } from './statement-pool.ts';

/** A text of statements, and where each of them stands in it. */
interface WrittenStatements {
  readonly text: string;
  readonly spans: readonly (Span & { readonly statement: number })[];
}

const ENDED = /[\p{Sentence_Terminal}…:;]["'”’»)\]]*$/u;

/**
 * The statements of a document as its text: a paragraph for each topic, topics and statements in an order that is drawn. A
 * statement without a full stop gets one behind it, so that the next begins a sentence.
 */
function writeParagraphs(
  places: readonly number[],
  statements: readonly PooledStatement[],
  random: Random,
): WrittenStatements {
  const topics = shuffled([...new Set(places.map((place) => statements[place].topic))], random);
  let text = '';
  const spans: (Span & { readonly statement: number })[] = [];
  for (const topic of topics) {
    if (text !== '') text += '\n\n';
    const own = shuffled(
      places.filter((place) => statements[place].topic === topic),
      random,
    );
    for (const [at, statement] of own.entries()) {
      if (at > 0) text += ' ';
      const stated = statements[statement].text;
      spans.push({ start: text.length, end: text.length + stated.length, statement });
      text += ENDED.test(stated) ? stated : `${stated}.`;
    }
  }
  return { text, spans };
}

interface Written extends WrittenStatements {
  readonly id: string;
}

/**
 * A haystack of statements that people labelled: dealt to documents by the seed, so that what each document tells, and where,
 * is known exactly. A case for every topic with an insight. The same statements in another order give the same.
 *
 * @param records that do not contradict each other (`statementProblems`), with an insight among them
 */
export function haystackOfStatements(
  records: readonly LabelledStatement[],
  options: DealingOptions & { readonly seed: number },
): { readonly haystack: Haystack; readonly making: Making } {
  const { documents, words, least, repeat, seed } = options;
  const pool = statementPool(records);
  const random = drawsFor('statements', seed);
  const hands = shuffled(dealStatements(pool, options, random), random);
  const written = hands.map((hand, place) => ({
    id: documentId(place, hands.length),
    ...writeParagraphs(hand, pool.statements, random),
  }));
  const told = pool.insights.map(({ text, topic }, insight) => ({
    text,
    topic,
    documents: written.filter((document) => tellingSpans(document, pool, [insight]).length > 0).map(({ id }) => id),
  }));
  const rare = told.filter((insight) => insight.documents.length < least);
  const tellings = written.reduce((sum, { spans }) => sum + spans.length, 0);
  const dealt = new Set(hands.flat());
  const cases = pool.topics.flatMap((_, topic) => caseOf(topic, pool, told, written));
  return {
    haystack: {
      name: pool.topics.length === 1 ? pool.topics[0].name : `${pool.topics.length} topics`,
      collections: [
        {
          id: COLLECTION,
          ...(pool.topics.length === 1 && { topic: pool.topics[0].name }),
          documents: written.map(({ id, text }) => ({ id, text })),
        },
      ],
      cases,
      rare: rare.map(({ text, documents: ids }) => ({ text, documents: ids.length })),
    },
    making: {
      step: 'haystack',
      version: HAYSTACK_VERSION,
      seed,
      model: null,
      prompts: {},
      options: { statements: contentHash(canonicalJson(pool)), documents, words, least, repeat },
      counts: {
        statements: pool.statements.length,
        unused: pool.statements.length - dealt.size,
        repeated: tellings - dealt.size,
        documents: written.length,
        words: written.reduce((sum, { text }) => sum + countWords(text), 0),
        cases: cases.length,
        insights: told.length,
        rare: rare.length,
      },
    },
  };
}

function caseOf(
  topic: number,
  pool: StatementPool,
  told: readonly { readonly text: string; readonly topic: number; readonly documents: readonly string[] }[],
  written: readonly Written[],
): BenchmarkCase[] {
  const own = [...told.keys()].filter((insight) => told[insight].topic === topic);
  if (own.length === 0) return [];
  const ids = new Map(own.map((insight, number) => [insight, `t${topic + 1}-i${number + 1}`]));
  return [
    {
      id: `t${topic + 1}`,
      collection: COLLECTION,
      intent: pool.topics[topic].query,
      insights: own.map((insight, number) => {
        const { text, documents } = told[insight];
        return { id: `t${topic + 1}-i${number + 1}`, text, documents };
      }),
      passages: written.flatMap((document) =>
        tellingSpans(document, pool, own).map(({ start, end, statement }) => ({
          document: document.id,
          start,
          end,
          insights: pool.statements[statement].insights.flatMap((insight) => ids.get(insight) ?? []),
        })),
      ),
    },
  ];
}

/** Where a document tells any of some insights. */
function tellingSpans({ spans }: Written, { statements }: StatementPool, insights: readonly number[]) {
  return spans.filter(({ statement }) => statements[statement].insights.some((insight) => insights.includes(insight)));
}
