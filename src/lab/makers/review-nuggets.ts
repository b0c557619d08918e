import { z } from 'zod';
import { text } from '../../contract/index.ts';
import { groupBy, quoteAligner } from '../../text/index.ts';
import type { BenchmarkCase, BenchmarkSet, CaseNugget } from '../benchmark-set.ts';
import type { Placed, RecordProblem } from '../check-records.ts';
import { itemId, nuggetStatement } from '../people/items.ts';
import { type Decision, levelOf, SCALES } from '../people/labels.ts';

const name = text(500).min(1);
const statement = text(20_000).min(1);

/** Adds a document to an answer, an answer to a nugget, a nugget, or a nugget without an answer. */
export const additionSchema = z
  .strictObject({
    case: name,
    /** Id of an existing nugget; otherwise set `question`. */
    nugget: name.optional(),
    /** Of a new nugget, or an existing one with the same words. */
    question: statement.optional(),
    importance: z.enum(['vital', 'okay']).optional(),
    answer: statement.optional(),
    document: name.optional(),
    quote: statement.optional(),
  })
  .superRefine(({ nugget, question, importance, answer, document, quote }, context) => {
    const report = (path: string[], message: string) => context.addIssue({ code: 'custom', path, message });
    if ((nugget === undefined) === (question === undefined)) report([], 'must have either "nugget" or "question"');
    if (nugget !== undefined && importance !== undefined) report(['importance'], 'is for a new nugget only');
    if (nugget !== undefined && answer === undefined) report(['answer'], 'is missing');
    for (const [field, value] of Object.entries({ document, quote })) {
      if (answer !== undefined && value === undefined) report([field], 'is missing: an answer is bound to a document');
      if (answer === undefined && value !== undefined) report([field], 'needs an answer');
    }
  });
type Addition = z.output<typeof additionSchema>;

const UNCHANGED = {
  ...{ reviewed: 0, unbound: 0, dropped: 0, regraded: 0 },
  ...{ addedDocuments: 0, addedAnswers: 0, addedNuggets: 0, addedAbsences: 0 },
};
type ReviewCounts = typeof UNCHANGED;

interface ReviewedSet {
  readonly set: BenchmarkSet;
  readonly counts: Readonly<ReviewCounts>;
  readonly problems: readonly RecordProblem[];
}

/**
 * Adds people's nuggets to a set, then removes documents that most annotators reject, answers without documents, and
 * empty or rejected nuggets. Importance is the lower median of the grades. Existing additions change nothing.
 * @param decisions one for each item, annotator and field
 */
export function reviewNuggets(
  set: BenchmarkSet,
  additions: readonly Placed<Addition>[],
  decisions: readonly Decision[],
): ReviewedSet {
  const counts = { ...UNCHANGED };
  const cases = new Map(set.cases.map((each) => [each.id, each]));
  const texts = new Map(
    set.collections.map(({ id, documents }) => [id, new Map(documents.map((each) => [each.id, each.text]))]),
  );
  const problems = additions.flatMap(({ where, record }): RecordProblem[] => {
    const own = cases.get(record.case);
    if (own === undefined) return [{ where, pointer: '/case', detail: 'is not the id of one of the cases' }];
    const grown = withAddition(own, record, texts.get(own.collection) ?? new Map(), counts);
    if ('detail' in grown) return [{ where, ...grown }];
    cases.set(own.id, grown);
    return [];
  });
  const byItem = groupBy(decisions, ({ item }) => item);
  const reviewed = [...cases.values()].map((each) => {
    if (each.nuggets === undefined) return each;
    const nuggets = each.nuggets.flatMap((nugget) => reviewedNugget(each.id, nugget, byItem, counts));
    return { ...each, nuggets };
  });
  return { set: { ...set, cases: reviewed }, counts, problems };
}

type Problem = Pick<RecordProblem, 'pointer' | 'detail'>;

function withAddition(
  own: BenchmarkCase,
  addition: Addition,
  texts: ReadonlyMap<string, string>,
  counts: ReviewCounts,
): BenchmarkCase | Problem {
  const { question = '', importance = 'vital', answer, document, quote } = addition;
  const nuggets = own.nuggets ?? [];
  const known = nuggets.find((each) => each.id === addition.nugget || each.question === addition.question);
  if (known === undefined && addition.nugget !== undefined) {
    return { pointer: '/nugget', detail: 'is not the id of one of the nuggets of the case' };
  }
  if (known !== undefined && addition.importance !== undefined && importance !== (known.importance ?? 'vital')) {
    return { pointer: '/importance', detail: 'differs from that of the nugget with this question; labels change it' };
  }
  const nugget: CaseNugget = known ?? { id: nextId(nuggets), question, importance };
  const withNugget = (changed: CaseNugget): BenchmarkCase => ({
    ...own,
    nuggets: known === undefined ? [...nuggets, changed] : nuggets.map((each) => (each === known ? changed : each)),
  });
  const answers = nugget.answers ?? [];
  if (answer === undefined || document === undefined || quote === undefined) {
    if (answers.length > 0) {
      return { pointer: '/question', detail: 'is of a nugget with answers, which is no absence' };
    }
    counts.addedAbsences += Number(known === undefined);
    return withNugget(nugget);
  }
  const source = texts.get(document);
  if (source === undefined)
    return { pointer: '/document', detail: 'is not the id of one of the documents of the case' };
  const spans = (quoteAligner(source).align(quote)?.spans ?? []).map(({ start, end }) => ({ document, start, end }));
  if (spans.length === 0) return { pointer: '/quote', detail: 'does not stand in the document' };
  const given = answers.find((each) => each.text === answer);
  if (given !== undefined && given.documents === undefined) {
    return { pointer: '/document', detail: 'would narrow an answer that any document may attest' };
  }
  if (given?.documents?.includes(document)) return own;
  counts.addedNuggets += Number(known === undefined);
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
  const grade = median === undefined ? undefined : SCALES.importance[median];
  if (answers.length === 0 || grade === 'unwanted') {
    counts.dropped++;
    return [];
  }
  if (grade === undefined || grade === (nugget.importance ?? 'vital')) return [{ ...nugget, answers }];
  counts.regraded++;
  return [{ ...nugget, answers, importance: grade }];
}
