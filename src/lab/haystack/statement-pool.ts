import type { RecordProblem } from '../cli/check-records.ts';

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
export interface StatementPool {
  readonly topics: readonly { readonly name: string; readonly query: string }[];
  readonly insights: readonly { readonly text: string; readonly topic: number }[];
  readonly statements: readonly PooledStatement[];
}

export interface PooledStatement {
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
export function statementPool(records: readonly LabelledStatement[]): StatementPool {
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
