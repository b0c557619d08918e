import { z } from 'zod';
import { text } from '../../contract/index.ts';
import { quoteAligner } from '../../text/index.ts';
import type { BenchmarkSet, CaseNugget } from '../benchmark-set.ts';
import type { Placed, RecordProblem } from '../check-records.ts';

const name = text(500).min(1);
const statement = text(20_000).min(1);

/**
 * What a person adds to the nuggets of a case: a document to an answer, an answer to a nugget, a nugget, or one without an answer, which
 * says that the documents do not tell it.
 */
export const additionSchema = z
  .strictObject({
    case: name,
    /** Id of a nugget that there is. */
    nugget: name.optional(),
    /** In its place the question of a new one, or of one with the same words. */
    question: statement.optional(),
    importance: z.enum(['vital', 'okay']).optional(),
    answer: statement.optional(),
    document: name.optional(),
    /** Words of the document that attest the answer. */
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
export type Addition = z.output<typeof additionSchema>;

/** A set with what people added, or why it could not be. */
interface GrownSet {
  readonly set: BenchmarkSet;
  readonly counts: Readonly<Record<'addedDocuments' | 'addedAnswers' | 'addedNuggets' | 'addedAbsences', number>>;
  readonly problems: readonly RecordProblem[];
}

/** Adds what people wrote, line by line, to the nuggets of a set; a line that says what is there already changes nothing. */
export function addNuggets(set: BenchmarkSet, additions: readonly Placed<Addition>[]): GrownSet {
  const counts = { addedDocuments: 0, addedAnswers: 0, addedNuggets: 0, addedAbsences: 0 };
  const problems: RecordProblem[] = [];
  const cases = new Map(set.cases.map((each) => [each.id, each]));
  const documents = new Map(
    set.collections.map(({ id, documents }) => [id, new Map(documents.map((each) => [each.id, each.text]))]),
  );
  for (const { where, record: addition } of additions) {
    const problem = (pointer: string, detail: string) => problems.push({ where, pointer, detail });
    const own = cases.get(addition.case);
    if (own === undefined) {
      problem('/case', 'is not the id of one of the cases');
      continue;
    }
    const nuggets = own.nuggets ?? [];
    const known = nuggets.find(({ id, question }) => id === addition.nugget || question === addition.question);
    if (known === undefined && addition.nugget !== undefined) {
      problem('/nugget', 'is not the id of one of the nuggets of the case');
      continue;
    }
    const { question = '', importance = 'vital', answer, document, quote } = addition;
    if (known !== undefined && addition.importance !== undefined && importance !== (known.importance ?? 'vital')) {
      problem('/importance', 'differs from that of the nugget with this question; labels change it');
      continue;
    }
    const nugget: CaseNugget = known ?? { id: nextId(nuggets), question, importance };
    const replace = (changed: CaseNugget) => {
      const others = known === undefined ? [...nuggets, changed] : nuggets.map((n) => (n === known ? changed : n));
      cases.set(own.id, { ...own, nuggets: others });
    };
    if (answer === undefined || document === undefined || quote === undefined) {
      if ((nugget.answers ?? []).length > 0) problem('/question', 'is of a nugget with answers, which is no absence');
      else if (known === undefined) {
        counts.addedAbsences++;
        replace(nugget);
      }
      continue;
    }
    const source = documents.get(own.collection)?.get(document);
    if (source === undefined) {
      problem('/document', 'is not the id of one of the documents of the case');
      continue;
    }
    const spans = (quoteAligner(source).align(quote)?.spans ?? []).map(({ start, end }) => ({ document, start, end }));
    if (spans.length === 0) {
      problem('/quote', 'does not stand in the document');
      continue;
    }
    const answers = nugget.answers ?? [];
    const given = answers.find((each) => each.text === answer);
    if (given !== undefined && given.documents === undefined) {
      problem('/document', 'would narrow an answer that any document may attest');
      continue;
    }
    if (given?.documents?.includes(document)) continue;
    if (known === undefined) counts.addedNuggets++;
    if (given === undefined) counts.addedAnswers++;
    else counts.addedDocuments++;
    const grown = {
      text: answer,
      documents: [...(given?.documents ?? []), document],
      spans: [...(given?.spans ?? []), ...spans],
    };
    const rest = given === undefined ? [...answers, grown] : answers.map((each) => (each === given ? grown : each));
    replace({ ...nugget, answers: rest });
  }
  return { set: { ...set, cases: [...cases.values()] }, counts, problems };
}

/** `n` with the number behind the largest there is. */
function nextId(nuggets: readonly CaseNugget[]): string {
  const numbers = nuggets.map(({ id }) => Number(/^n(\d{1,9})$/.exec(id)?.[1] ?? 0));
  return `n${Math.max(0, ...numbers) + 1}`;
}
