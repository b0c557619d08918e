import type { BenchmarkCase, BenchmarkQuestion, BenchmarkSet } from '../benchmark-set.ts';
import type { QuestionsByCollection } from './questions-protocol.ts';

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
