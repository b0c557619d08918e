import { z } from 'zod';
import { text } from '../../contract/index.ts';
import { groupBy, quoteAligner } from '../../text/index.ts';
import type { BenchmarkCase, BenchmarkSet, CaseNugget } from '../benchmark-set.ts';
import type { Placed, RecordProblem } from '../check-records.ts';
import { itemId, nuggetStatement } from '../people/items.ts';
import { type Decision, levelOf, SCALES } from '../people/labels.ts';

const name = text(500).min(1);
const statement = text(20_000).min(1);

/** Adds a nugget unless its question is there, and a document to one of its answers; without an answer it is an absence. */
export const additionSchema = z
  .strictObject({
    ...{ case: name, question: statement, importance: z.enum(['vital', 'okay']).default('vital') },
    ...{ answer: statement.optional(), document: name.optional(), quote: statement.optional() },
  })
  .refine(
    ({ answer, ...from }) =>
      [from.document, from.quote].every((each) => (each === undefined) === (answer === undefined)),
    'must have all of "answer", "document" and "quote", or none',
  );
type Addition = z.output<typeof additionSchema>;

const UNCHANGED = {
  ...{ reviewed: 0, unbound: 0, dropped: 0, regraded: 0 },
  ...{ addedDocuments: 0, addedAnswers: 0, addedNuggets: 0 },
};
type ReviewCounts = typeof UNCHANGED;

/**
 * Adds people's nuggets to a set, then removes documents that most annotators reject, answers without documents, and
 * empty or rejected nuggets. Importance is the lower median of the grades. Existing additions change nothing.
 * @param decisions one for each item, annotator and field
 */
export function reviewNuggets(
  set: BenchmarkSet,
  additions: readonly Placed<Addition>[],
  decisions: readonly Decision[],
) {
  const counts = { ...UNCHANGED };
  const cases = new Map(set.cases.map((each) => [each.id, each]));
  const collections = new Map(set.collections.map(({ id, documents }) => [id, documents]));
  const problems = additions.flatMap(({ where, record }): RecordProblem[] => {
    const own = cases.get(record.case);
    if (own === undefined) return [{ where, pointer: '/case', detail: 'is not the id of one of the cases' }];
    const documents = collections.get(own.collection) ?? [];
    const grown = withAddition(own, record, new Map(documents.map((each) => [each.id, each.text])), counts);
    if ('detail' in grown) return [{ where, ...grown }];
    cases.set(own.id, grown);
    return [];
  });
  const byItem = groupBy(decisions, ({ item }) => item);
  const reviewed = [...cases.values()].map((each): BenchmarkCase => {
    if (each.nuggets === undefined) return each;
    return { ...each, nuggets: each.nuggets.flatMap((nugget) => reviewedNugget(each.id, nugget, byItem, counts)) };
  });
  return { set: { ...set, cases: reviewed }, counts, problems };
}

function withAddition(
  own: BenchmarkCase,
  { question, importance, answer, document, quote }: Addition,
  texts: ReadonlyMap<string, string>,
  counts: ReviewCounts,
): BenchmarkCase | Pick<RecordProblem, 'pointer' | 'detail'> {
  const nuggets = own.nuggets ?? [];
  const known = nuggets.find((each) => each.question === question);
  const nugget: CaseNugget = known ?? { id: nextId(nuggets), question, importance };
  const answers = nugget.answers ?? [];
  const given = answers.find((each) => each.text === answer);
  counts.addedNuggets += Number(known === undefined);
  const withNugget = (changed: CaseNugget): BenchmarkCase => ({
    ...own,
    nuggets: known === undefined ? [...nuggets, changed] : nuggets.map((each) => (each === known ? changed : each)),
  });
  if (answer === undefined || document === undefined || quote === undefined) return withNugget(nugget);
  const source = texts.get(document);
  if (source === undefined)
    return { pointer: '/document', detail: 'is not the id of one of the documents of the case' };
  const spans = (quoteAligner(source).align(quote)?.spans ?? []).map(({ start, end }) => ({ document, start, end }));
  if (spans.length === 0) return { pointer: '/quote', detail: 'does not stand in the document' };
  // An answer without documents may be attested by any.
  if (given !== undefined && (given.documents ?? [document]).includes(document)) return own;
  counts[given === undefined ? 'addedAnswers' : 'addedDocuments']++;
  const grown = {
    text: answer,
    documents: [...(given?.documents ?? []), document],
    spans: [...(given?.spans ?? []), ...spans],
  };
  const others = given === undefined ? [...answers, grown] : answers.map((each) => (each === given ? grown : each));
  return withNugget({ ...nugget, answers: others });
}

function nextId(nuggets: readonly CaseNugget[]): string {
  const numbers = nuggets.map(({ id }) => Number(/^n(\d{1,9})$/.exec(id)?.[1] ?? 0));
  return `n${Math.max(0, ...numbers) + 1}`;
}

function reviewedNugget(
  caseId: string,
  nugget: CaseNugget,
  byItem: ReadonlyMap<string, readonly Decision[]>,
  counts: ReviewCounts,
): CaseNugget[] {
  if (nugget.answers === undefined || nugget.answers.length === 0) return [nugget];
  const own: Decision[] = [];
  const answers = nugget.answers.flatMap((answer) => {
    const { text: told, spans = [], documents } = answer;
    const rejected = [...groupBy(spans, ({ document }) => document)].flatMap(([document, there]) => {
      const given = byItem.get(itemId(caseId, document, nuggetStatement(nugget.question, told), there)) ?? [];
      own.push(...given);
      const votes = given.flatMap(({ field, value }) => (field === 'attested' ? [value === 'yes' ? 1 : -1] : []));
      return votes.reduce((sum, vote) => sum + vote, 0) < 0 ? [document] : [];
    });
    counts.unbound += rejected.length;
    if (rejected.length === 0) return [answer];
    const left = documents?.filter((document) => !rejected.includes(document));
    if (left?.length === 0) return [];
    return [{ ...answer, documents: left, spans: spans.filter(({ document }) => !rejected.includes(document)) }];
  });
  counts.reviewed += Number(own.length > 0);
  const grades = own.flatMap(({ field, value }) => (field === 'importance' ? [levelOf(field, value)] : []));
  const median = grades.sort((a, b) => a - b).at(Math.floor((grades.length - 1) / 2));
  const before = nugget.importance ?? 'vital';
  const grade = median === undefined ? before : SCALES.importance[median];
  const isDropped = answers.length === 0 || grade === 'unwanted';
  counts.dropped += Number(isDropped);
  if (isDropped) return [];
  counts.regraded += Number(grade !== before);
  return [{ ...nugget, answers, ...(grade !== before && { importance: grade }) }];
}
