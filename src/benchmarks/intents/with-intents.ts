import type { BenchmarkCase, BenchmarkSet } from '../benchmark-set.ts';

/**
 * Cases that have an id of the form of this step's, though no earlier run of it made any.
 *
 * @returns their ids
 */
export function foreignIds(set: BenchmarkSet): string[] {
  return set.made.some(({ step }) => step === 'intents') ? [] : set.cases.filter(ofThisStep(set)).map(({ id }) => id);
}

/** The set with these cases in the place of those of an earlier run, in order of the collections. */
export function withIntents(set: BenchmarkSet, cases: readonly BenchmarkCase[]): BenchmarkSet {
  const isOld = ofThisStep(set);
  return { ...set, cases: [...set.cases.filter((each) => !isOld(each)), ...cases] };
}

/** Collections without questions were not asked, so that their cases stay. */
function ofThisStep({ collections }: BenchmarkSet): (each: BenchmarkCase) => boolean {
  const asked = new Set(collections.flatMap(({ id, questions = [] }) => (questions.length > 0 ? [id] : [])));
  return ({ id, collection }) =>
    asked.has(collection) &&
    id.startsWith(`${collection}/intent-`) &&
    /^\d+$/.test(id.slice(`${collection}/intent-`.length));
}
