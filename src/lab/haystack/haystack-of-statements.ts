import { canonicalJson } from '../../contract/index.ts';
import { type Random, shuffled } from '../../selection/index.ts';
import { countWords } from '../../summary/index.ts';
import { contentHash, type Span } from '../../text/index.ts';
import type { BenchmarkCase, Making } from '../benchmark-set.ts';
import type { RecordProblem } from '../check-records.ts';
import { COLLECTION } from './assemble-haystack.ts';
import { drawsFor, type Haystack } from './haystack-options.ts';
import { HAYSTACK_VERSION } from './haystack-protocol.ts';
import { documentId } from './plan-documents.ts';

/** A statement as a person labelled it. */
export interface LabelledStatement {
  readonly topic: string;
  /** The topic where there is none. */
  readonly query?: string | undefined;
  /** What it tells; absent where it tells none of the insights. */
  readonly insight?: string | undefined;
  readonly statement: string;
}

/** Labelled statements in an order of their own, whatever the order in which they came. */
interface StatementPool {
  readonly topics: readonly { readonly name: string; readonly query: string }[];
  readonly insights: readonly { readonly text: string; readonly topic: number }[];
  readonly statements: readonly PooledStatement[];
}

interface PooledStatement {
  readonly text: string;
  /** Place of its topic. */
  readonly topic: number;
  /** Places of the insights that it tells, ascending; none of filler. */
  readonly insights: readonly number[];
}

interface Placed {
  readonly where: string;
  readonly record: LabelledStatement;
}

/** Everything that records say of each other that cannot be: a topic with two queries, a statement of two topics, a filler that tells something. */
export function statementProblems(placed: readonly Placed[]): RecordProblem[] {
  const problems: RecordProblem[] = [];
  const queries = new Map<string, { readonly query: string; readonly where: string }>();
  const firsts = new Map<string, Placed>();
  for (const each of placed) {
    const { where, record } = each;
    const { topic, query, statement } = record;
    const before = queries.get(topic);
    if (query !== undefined && before !== undefined && before.query !== query) {
      problems.push({ where, pointer: '/query', detail: `is not the query of this topic in ${before.where}` });
    }
    if (query !== undefined && before === undefined) queries.set(topic, { query, where });
    const first = firsts.get(statement);
    firsts.set(statement, first ?? each);
    if (first === undefined) continue;
    const detail = contradiction(first.record, record);
    if (detail !== null) problems.push({ where, pointer: '/statement', detail: `${detail} in ${first.where}` });
  }
  return problems;
}

function contradiction(first: LabelledStatement, second: LabelledStatement): string | null {
  if (first.topic !== second.topic) return `stands under another topic, "${first.topic}",`;
  const isFiller = first.insight === undefined;
  if (isFiller === (second.insight === undefined)) return null;
  return isFiller ? 'tells an insight here and none' : 'tells no insight here and one';
}

/** The pool of statements that do not contradict each other (`statementProblems`). */
function statementPool(records: readonly LabelledStatement[]): StatementPool {
  const names = sorted(records.map(({ topic }) => topic));
  const topicAt = places(names);
  const insightKeys = sorted(
    records.flatMap(({ topic, insight }) => (insight === undefined ? [] : [keyOf(topic, insight)])),
  );
  const insightAt = places(insightKeys);
  const told = new Map<string, Set<number>>();
  const topicOf = new Map<string, string>();
  for (const { topic, insight, statement } of records) {
    const insights = told.get(statement) ?? new Set();
    told.set(statement, insights);
    topicOf.set(statement, topic);
    if (insight !== undefined) insights.add(insightAt(keyOf(topic, insight)));
  }
  return {
    topics: names.map((name) => {
      const query = records.find((record) => record.topic === name && record.query !== undefined)?.query;
      return { name, query: query ?? name };
    }),
    insights: insightKeys.map((key) => {
      const [topic, text] = parted(key);
      return { text, topic: topicAt(topic) };
    }),
    statements: sorted(told.keys()).map((text) => ({
      text,
      topic: topicAt(topicOf.get(text) ?? ''),
      insights: [...(told.get(text) ?? [])].sort((a, b) => a - b),
    })),
  };
}

/** Between a topic and an insight: in neither, as both are on one line. */
const BETWEEN = '\n';

function keyOf(topic: string, insight: string): string {
  return `${topic}${BETWEEN}${insight}`;
}

function parted(key: string): [string, string] {
  const at = key.indexOf(BETWEEN);
  return [key.slice(0, at), key.slice(at + 1)];
}

/** Each once, in the order of their code units. */
function sorted(texts: Iterable<string>): string[] {
  return [...new Set(texts)].sort();
}

function places(texts: readonly string[]): (text: string) => number {
  const at = new Map(texts.map((text, place) => [text, place]));
  return (text) => at.get(text) ?? -1;
}

export interface DealingOptions {
  /** At most. */
  readonly documents: number;
  /** Of a document, about. */
  readonly words: number;
  /** Documents that tell an insight, at least; not more than `documents`. */
  readonly least: number;
  /** Whether statements of an insight that has fewer than `least` stand in several documents. */
  readonly repeat: boolean;
}

/** What a document has been dealt so far. */
interface Hand {
  readonly statements: number[];
  readonly insights: Set<number>;
  readonly topics: Set<number>;
  words: number;
}

/** How much fuller a document may be that has a topic than one that would get it as another, as a share of its words. */
const AFFINITY = 0.25;

/**
 * Deals statements to documents. First every insight gets its `least` documents, each with another statement of it, as far as
 * it has them; then what is left goes where there is room. Documents that have the topic of a statement are preferred, so
 * that one tells of few topics; none gets a statement twice, nor, as long as others can take it, an insight.
 *
 * @returns places of statements for each document that got any: not more documents than the statements fill
 */
function dealStatements(pool: StatementPool, options: DealingOptions, random: Random): number[][] {
  const { words, least, repeat } = options;
  const sizes = pool.statements.map(({ text }) => countWords(text));
  const tellers = pool.insights.map((_, insight) => tellersOf(pool, insight));
  const hands = Array.from({ length: documentsFor(sizes, tellers, pool.statements, options) }, newHand);
  const dealt = new Set<number>();

  const deal = (place: number, isOpen: (hand: Hand) => boolean): boolean => {
    const open = hands.filter((hand) => isOpen(hand) && !hand.statements.includes(place));
    const hand = emptiest(open, pool.statements[place].topic, words);
    if (hand === undefined) return false;
    const { topic, insights } = pool.statements[place];
    hand.statements.push(place);
    hand.topics.add(topic);
    hand.words += sizes[place];
    for (const insight of insights) hand.insights.add(insight);
    dealt.add(place);
    return true;
  };
  const countOf = (insight: number) => hands.filter((hand) => hand.insights.has(insight)).length;
  const lacks = (hand: Hand, insights: readonly number[]) => insights.every((insight) => !hand.insights.has(insight));

  const order = shuffled([...pool.insights.keys()], random);
  const queues = tellers.map((places) => shuffled(places, random));
  for (let round = 0; round < least; round++) {
    for (const insight of order) {
      if (countOf(insight) > round) continue;
      const queue = queues[insight];
      const fresh = queue.find((place) => !dealt.has(place));
      const place = fresh ?? (repeat ? queue[round % queue.length] : undefined);
      if (place === undefined) continue;
      const all = pool.statements[place].insights;
      const wanting = all.filter((each) => each === insight || countOf(each) < least);
      // Where no document is without all that it tells, one that is without what still lacks documents will do.
      const isDealt = [all, wanting, [insight]].some((some) => deal(place, (hand) => lacks(hand, some)));
      if (!isDealt) throw new RangeError(`no document is left for insight ${insight}`);
    }
  }
  const left = shuffled(
    [...pool.statements.keys()].filter((place) => !dealt.has(place)),
    random,
  );
  for (const place of left) {
    deal(place, (hand) => hand.words < words && lacks(hand, pool.statements[place].insights));
  }
  return hands.map(({ statements }) => statements).filter((statements) => statements.length > 0);
}

/** As many as the statements fill, but enough to keep the tellings of an insight apart. */
function documentsFor(
  sizes: readonly number[],
  tellers: readonly (readonly number[])[],
  statements: readonly PooledStatement[],
  { documents, words, least, repeat }: DealingOptions,
): number {
  const once = sizes.reduce((sum, size) => sum + size, 0);
  const again = tellers.map((places) => {
    const own = places.reduce((sum, place) => sum + sizes[place], 0);
    return repeat ? (own / places.length) * Math.max(0, least - places.length) : 0;
  });
  const total = again.reduce((sum, size) => sum + size, once);
  const maxInsights = Math.max(1, ...statements.map(({ insights }) => insights.length));
  return Math.min(documents, Math.max(maxInsights * (least - 1) + 1, Math.ceil(total / words)));
}

function tellersOf({ statements }: StatementPool, insight: number): number[] {
  return [...statements.keys()].filter((place) => statements[place].insights.includes(insight));
}

function newHand(): Hand {
  return { statements: [], insights: new Set(), topics: new Set(), words: 0 };
}

/** Where a statement of a topic goes: to the one with most room, a topic of its own counted as words; the first of equals. */
function emptiest(hands: readonly Hand[], topic: number, words: number): Hand | undefined {
  let best: Hand | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const hand of hands) {
    const score = hand.words / words + (hand.topics.has(topic) ? 0 : AFFINITY * hand.topics.size);
    if (score < least) [best, least] = [hand, score];
  }
  return best;
}

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
