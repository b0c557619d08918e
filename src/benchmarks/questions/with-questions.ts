import type { BenchmarkCase, BenchmarkSet } from '../benchmark-set.ts';
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
 * one at least, named as the collection. What was not read stays as it is.
 */
export function withQuestions(set: BenchmarkSet, questions: QuestionsByCollection): BenchmarkSet {
  const collections = set.collections.map((collection) => {
    const own = questions.get(collection.id);
    return own === undefined ? collection : { ...collection, questions: own };
  });
  const cases = set.cases.map((each) => {
    const own = questions.get(each.collection);
    return own === undefined || !isOpen(each, each.collection) ? each : { ...each, questions: own };
  });
  const added = collections.flatMap(({ id }): BenchmarkCase[] => {
    const own = questions.get(id) ?? [];
    return own.length === 0 || cases.some((each) => isOpen(each, id)) ? [] : [{ id, collection: id, questions: own }];
  });
  return { ...set, collections, cases: [...cases, ...added] };
}

/** Whether a case asks what there is in a collection. */
function isOpen({ collection, intent }: BenchmarkCase, id: string): boolean {
  return collection === id && intent === undefined;
}
