import type { BenchmarkCase, BenchmarkSet } from '../benchmark-set.ts';

/**
 * Cases that have an id of the form of this step's, though no earlier run of it made any.
 *
 * @returns their ids
 */
export function foreignIds(set: BenchmarkSet): string[] {
  return set.made.some(({ step }) => step === 'intents') ? [] : set.cases.filter(ofThisStep(set)).map(({ id }) => id);
}

interface SetWithIntents {
  readonly set: BenchmarkSet;
  /** Cases of an earlier run that were taken out with what was made for them: key points, say. */
  readonly lost: number;
}

/**
 * The set with these cases in the place of those of an earlier run, in order of the collections. An intent that was there
 * before keeps what was made for it.
 *
 * @param answered ids of the collections whose intents could be read and scored; the cases of others stay
 */
export function withIntents(
  set: BenchmarkSet,
  cases: readonly BenchmarkCase[],
  answered: ReadonlySet<string>,
): SetWithIntents {
  const isOfStep = ofThisStep(set);
  const isOld = (each: BenchmarkCase): boolean => answered.has(each.collection) && isOfStep(each);
  const old = new Map(set.cases.filter(isOld).map((each) => [intentKey(each), each]));
  const made = cases.map((each) => ({ ...old.get(intentKey(each)), ...each }));
  const stay = new Set(made.map(intentKey));
  const lost = [...old].filter(([key, each]) => !stay.has(key) && hasMore(each)).length;
  return { set: { ...set, cases: [...set.cases.filter((each) => !isOld(each)), ...made] }, lost };
}

function intentKey({ collection, intent }: BenchmarkCase): string {
  return JSON.stringify([collection, intent]);
}

/** Whether later steps, or people, have made something for a case. */
function hasMore({ insights, keyPoints, nuggets, passages, reference }: BenchmarkCase): boolean {
  return [insights, keyPoints, nuggets, passages, reference].some((each) => each !== undefined);
}

/** Collections without questions were not asked, so that their cases stay. */
function ofThisStep({ collections }: BenchmarkSet): (each: BenchmarkCase) => boolean {
  const asked = new Set(collections.flatMap(({ id, questions = [] }) => (questions.length > 0 ? [id] : [])));
  return ({ id, collection }) =>
    asked.has(collection) &&
    id.startsWith(`${collection}/intent-`) &&
    /^\d+$/.test(id.slice(`${collection}/intent-`.length));
}
