import { z } from 'zod';
import { canonicalJson, LIMITS, text } from '../../contract/index.ts';
import { type Random, shuffled } from '../../selection/index.ts';
import { countWords } from '../../summary/index.ts';
import { contentHash, type Span } from '../../text/index.ts';
import type { BenchmarkCase, Making } from '../benchmark-set.ts';
import { BadRecordsError, checkRecords, type Placed, type RecordProblem, type TextFile } from '../check-records.ts';
import { COLLECTION, rareNotes } from './haystack.ts';
import { documentId, drawsFor } from './haystack-plan.ts';
import { countNotes, type MadeSet } from './maker.ts';

const line = (most: number) =>
  text(most)
    .transform((given) => given.replace(/\s+/gu, ' ').trim())
    .refine((given) => given !== '', 'is blank');
/** Exporters write null for absent values. */
const orAbsent = (schema: z.ZodType<string>) =>
  schema
    .nullish()
    .transform((given) => given ?? undefined)
    .optional();

const labelledStatement = z.strictObject({
  topic: line(500),
  /** Defaults to the topic. */
  query: orAbsent(line(LIMITS.intentCharacters)),
  /** Absent for filler. */
  insight: orAbsent(line(4000)),
  statement: text(20_000)
    .transform((given) => given.trim())
    .refine((given) => /[\p{L}\p{N}]/u.test(given), 'holds no letter or digit'),
});
type LabelledStatement = z.output<typeof labelledStatement>;

/** @throws BadRecordsError with every problem */
export function readStatements(file: TextFile): LabelledStatement[] {
  const { placed, problems } = checkRecords([file], labelledStatement);
  const all = [...problems, ...contradictions(placed)];
  if (all.length > 0) throw new BadRecordsError(all, 'made');
  const records = placed.map(({ record }) => record);
  if (records.every(({ insight }) => insight === undefined)) {
    const detail = 'holds no statement with an "insight"';
    throw new BadRecordsError([{ where: file.path, pointer: '', detail }], 'made');
  }
  return records;
}

function contradictions(placed: readonly Placed<LabelledStatement>[]): RecordProblem[] {
  const problems: RecordProblem[] = [];
  const queries = new Map<string, Placed<LabelledStatement>>();
  const firsts = new Map<string, Placed<LabelledStatement>>();
  for (const each of placed) {
    const { where, record } = each;
    const asked = queries.get(record.topic) ?? each;
    if (record.query !== undefined) queries.set(record.topic, asked);
    if (record.query !== undefined && asked.record.query !== record.query) {
      problems.push({ where, pointer: '/query', detail: `is not the query of this topic in ${asked.where}` });
    }
    const first = firsts.get(record.statement) ?? each;
    firsts.set(record.statement, first);
    const isFiller = first.record.insight === undefined;
    const detail =
      first.record.topic !== record.topic
        ? `stands under another topic, "${first.record.topic}",`
        : isFiller === (record.insight === undefined)
          ? null
          : isFiller
            ? 'tells an insight here and none'
            : 'tells no insight here and one';
    if (detail !== null) problems.push({ where, pointer: '/statement', detail: `${detail} in ${first.where}` });
  }
  return problems;
}

interface Insight {
  readonly text: string;
  readonly topic: string;
}

interface PooledStatement {
  readonly text: string;
  readonly topic: string;
  readonly words: number;
  readonly insights: readonly Insight[];
}

interface Pool {
  readonly topics: readonly { readonly name: string; readonly query: string }[];
  readonly insights: readonly Insight[];
  readonly statements: readonly PooledStatement[];
}

function poolOf(records: readonly LabelledStatement[]): Pool {
  const sorted = (texts: readonly string[]) => [...new Set(texts)].sort();
  const topics = sorted(records.map(({ topic }) => topic)).map((name) => {
    const query = records.find((record) => record.topic === name && record.query !== undefined)?.query;
    return { name, query: query ?? name };
  });
  const insights = topics.flatMap(({ name }) => {
    const own = records.flatMap(({ topic, insight }) => (topic === name ? (insight ?? []) : []));
    return sorted(own).map((text): Insight => ({ text, topic: name }));
  });
  const statements = sorted(records.map(({ statement }) => statement)).map((told): PooledStatement => {
    const own = records.filter(({ statement }) => statement === told);
    const [{ topic }] = own;
    const isTold = (each: Insight) => each.topic === topic && own.some(({ insight }) => insight === each.text);
    return { text: told, topic, words: countWords(told), insights: insights.filter(isTold) };
  });
  return { topics, insights, statements };
}

export interface DealingOptions {
  readonly documents: number;
  /** Per document, approximate. */
  readonly words: number;
  /** Min documents per insight; at most `documents`. */
  readonly least: number;
  /** Repeats statements of insights with fewer than `least`. */
  readonly repeat: boolean;
}

interface Hand {
  readonly statements: PooledStatement[];
  readonly insights: Set<Insight>;
  readonly topics: Set<string>;
  words: number;
}

/** Extra fill, as a share of its words, at which a document of the same topic is still preferred. */
const AFFINITY = 0.25;

/** First gives every insight its `least` documents; no document repeats a statement or, if avoidable, an insight. */
function dealStatements(pool: Pool, options: DealingOptions, random: Random): PooledStatement[][] {
  const { words, least, repeat } = options;
  const tellers = new Map(
    pool.insights.map((insight) => [insight, pool.statements.filter((each) => each.insights.includes(insight))]),
  );
  const hands = Array.from(
    { length: documentsFor(pool, tellers, options) },
    (): Hand => ({ statements: [], insights: new Set(), topics: new Set(), words: 0 }),
  );
  const dealt = new Set<PooledStatement>();
  const deal = (statement: PooledStatement, isOpen: (hand: Hand) => boolean): boolean => {
    const fullness = (hand: Hand) =>
      hand.words / words + (hand.topics.has(statement.topic) ? 0 : AFFINITY * hand.topics.size);
    const [hand] = hands
      .filter((each) => isOpen(each) && !each.statements.includes(statement))
      .toSorted((a, b) => fullness(a) - fullness(b));
    if (hand === undefined) return false;
    hand.statements.push(statement);
    hand.topics.add(statement.topic);
    hand.words += statement.words;
    for (const insight of statement.insights) hand.insights.add(insight);
    dealt.add(statement);
    return true;
  };
  const countOf = (insight: Insight) => hands.filter((hand) => hand.insights.has(insight)).length;
  const lacks = (insights: readonly Insight[]) => (hand: Hand) => insights.every((each) => !hand.insights.has(each));

  const order = shuffled(pool.insights, random);
  const queues = new Map(pool.insights.map((insight) => [insight, shuffled(tellers.get(insight) ?? [], random)]));
  for (let round = 0; round < least; round++) {
    for (const insight of order) {
      const queue = queues.get(insight) ?? [];
      if (countOf(insight) > round) continue;
      const fresh = queue.find((each) => !dealt.has(each));
      const statement = fresh ?? (repeat ? queue[round % queue.length] : undefined);
      if (statement === undefined) continue;
      const all = statement.insights;
      const wanting = all.filter((each) => each === insight || countOf(each) < least);
      const isDealt = [all, wanting, [insight]].some((some) => deal(statement, lacks(some)));
      if (!isDealt) throw new RangeError(`no document is left for the insight "${insight.text}"`);
    }
  }
  const left = shuffled(
    pool.statements.filter((each) => !dealt.has(each)),
    random,
  );
  for (const each of left) deal(each, (hand) => hand.words < words && lacks(each.insights)(hand));
  return hands.flatMap(({ statements }) => (statements.length > 0 ? [statements] : []));
}

function documentsFor(
  { statements }: Pool,
  tellers: ReadonlyMap<Insight, readonly PooledStatement[]>,
  { documents, words, least, repeat }: DealingOptions,
): number {
  const wordsIn = (some: readonly PooledStatement[]) => some.reduce((sum, each) => sum + each.words, 0);
  const again = [...tellers.values()].map((own) =>
    repeat ? (wordsIn(own) / own.length) * Math.max(0, least - own.length) : 0,
  );
  const total = again.reduce((sum, each) => sum + each, wordsIn(statements));
  const maxInsights = Math.max(1, ...statements.map(({ insights }) => insights.length));
  return Math.min(documents, Math.max(maxInsights * (least - 1) + 1, Math.ceil(total / words)));
}

const ENDED = /[\p{Sentence_Terminal}…:;]["'”’»)\]]*$/u;

interface WrittenDocument {
  readonly id: string;
  readonly text: string;
  readonly spans: readonly (Span & { readonly statement: PooledStatement })[];
}

function writeParagraphs(statements: readonly PooledStatement[], id: string, random: Random): WrittenDocument {
  let written = '';
  const spans: (Span & { readonly statement: PooledStatement })[] = [];
  for (const topic of shuffled([...new Set(statements.map((each) => each.topic))], random)) {
    const own = statements.filter((each) => each.topic === topic);
    if (written !== '') written += '\n\n';
    for (const [place, statement] of shuffled(own, random).entries()) {
      if (place > 0) written += ' ';
      spans.push({ start: written.length, end: written.length + statement.text.length, statement });
      written += ENDED.test(statement.text) ? statement.text : `${statement.text}.`;
    }
  }
  return { id, text: written, spans };
}

/**
 * Deals labelled statements to documents, so that all spans are known exactly. Each topic with an insight becomes a
 * case. The order of statements does not matter.
 * @param records free of contradictions (`readStatements`), at least one with an insight
 */
export function haystackOfStatements(
  records: readonly LabelledStatement[],
  options: DealingOptions & { readonly seed: number },
): MadeSet & { readonly making: Making } {
  const { documents: most, words, least, repeat, seed } = options;
  const pool = poolOf(records);
  const random = drawsFor('statements', seed);
  const hands = shuffled(dealStatements(pool, options, random), random);
  const written = hands.map((hand, place) => writeParagraphs(hand, documentId(place, hands.length), random));
  const told = pool.insights.map((insight) => {
    const telling = written.filter(({ spans }) => spans.some(({ statement }) => statement.insights.includes(insight)));
    return { insight, text: insight.text, documents: telling.map(({ id }) => id) };
  });
  const cases = pool.topics.flatMap(({ name, query }, topic): BenchmarkCase[] => {
    const own = told
      .filter(({ insight }) => insight.topic === name)
      .map((each, number) => ({ ...each, id: `t${topic + 1}-i${number + 1}` }));
    if (own.length === 0) return [];
    const passages = written.flatMap(({ id, spans }) =>
      spans.flatMap(({ start, end, statement }) => {
        const insights = own.flatMap((each) => (statement.insights.includes(each.insight) ? [each.id] : []));
        return insights.length === 0 ? [] : [{ document: id, start, end, insights }];
      }),
    );
    const insights = own.map(({ id, text: label, documents }) => ({ id, text: label, documents }));
    return [{ id: `t${topic + 1}`, collection: COLLECTION, intent: query, insights, passages }];
  });
  const [first] = pool.topics;
  const isOne = pool.topics.length === 1;
  const rare = told.filter(({ documents }) => documents.length < least);
  const used = new Set(hands.flat()).size;
  const counts = {
    statements: pool.statements.length,
    unused: pool.statements.length - used,
    repeated: hands.flat().length - used,
    documents: written.length,
    words: written.reduce((sum, each) => sum + countWords(each.text), 0),
    cases: cases.length,
    insights: told.length,
    rare: rare.length,
  };
  const documents = written.map(({ id, text: content }) => ({ id, text: content }));
  return {
    set: {
      name: isOne ? first.name : `${pool.topics.length} topics`,
      collections: [{ id: COLLECTION, ...(isOne && { topic: first.name }), documents }],
      cases,
      made: [],
    },
    counts,
    notes: [
      `The haystack has ${counts.documents} documents, ${counts.cases} cases and ${counts.insights} insights.`,
      ...countNotes(counts, {
        unused:
          'Statements left out, as documents are full or tell their insights already (more --documents, or other --words)',
        repeated: 'Statements that stand once more, as --repeat allows',
        rare: 'Insights in fewer documents than --least (give more statements, or let them stand in several documents: --repeat)',
      }),
      ...rareNotes(rare),
    ],
    making: {
      ...{ step: 'haystack', version: 6, seed, model: null, prompts: {} },
      options: { statements: contentHash(canonicalJson(pool)), documents: most, words, least, repeat },
      counts,
    },
  };
}
