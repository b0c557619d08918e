import type { Database } from '../../store/database.ts';
import { readExposures } from '../../store/experiment-exposures.ts';
import { insertOutcomes, type NewOutcome, readKnownEvents } from '../../store/experiment-outcomes.ts';
import { readVersions } from '../../store/experiments.ts';
import { ExperimentNotFoundError } from './experiment-not-found-error.ts';
import { InvalidExperimentError } from './invalid-experiment-error.ts';
import { MOST_OUTCOMES, type Outcome } from '../../contract/outcome.ts';
import { placeOutcomes, type TimedOutcome } from './place-outcomes.ts';
import { type OutcomeProblem, problemOfOutcome } from './problem-of-outcome.ts';

/** What became of a batch. */
export interface RecordedOutcomes {
  /** That count. */
  readonly accepted: number;
  readonly duplicates: number;
  /** Kept, and outside the analysis. */
  readonly ignored: { readonly beforeExposure: number; readonly afterStop: number; readonly overridden: number };
  /** Of outcomes that were not kept, by their place in the batch; each with a pointer such as `/outcomes/3/value`. */
  readonly problems: readonly { readonly index: number; readonly pointer: string; readonly detail: string }[];
}

/**
 * Keeps outcomes and adds them to the totals of their subjects, in one commit. The good ones are kept whatever is wrong with others.
 * Nothing depends on the order in which they come, nor on how they are split into batches.
 *
 * @param outcomes 1,000 at most
 * @throws ExperimentNotFoundError
 * @throws InvalidExperimentError for too many at once
 */
export async function recordOutcomes(
  database: Database,
  key: string,
  outcomes: readonly Outcome[],
): Promise<RecordedOutcomes> {
  if (outcomes.length > MOST_OUTCOMES) {
    throw new InvalidExperimentError([{ pointer: '/outcomes', detail: `holds more than ${MOST_OUTCOMES} outcomes` }]);
  }
  const versions = await readVersions(database, key);
  if (versions.length === 0) throw new ExperimentNotFoundError(key);
  const now = database.now();
  const problems: { index: number; pointer: string; detail: string }[] = [];
  const fail = (index: number, { field, detail }: OutcomeProblem): void => {
    problems.push({ index, pointer: `/outcomes/${index}/${field}`, detail });
  };
  const sound: (TimedOutcome & { readonly index: number })[] = [];
  for (const [index, outcome] of outcomes.entries()) {
    const problem = problemOfOutcome(outcome, now);
    if (problem !== null) fail(index, problem);
    // Clocks differ: what has not happened yet happens now.
    else sound.push({ ...outcome, index, at: Math.min(Math.floor(outcome.at ?? now), now) });
  }
  const exposures = await readExposures(database, key, [...new Set(sound.map(({ subject }) => subject))]);
  const overridden = new Set(
    exposures.filter((each) => each.overridden).map((each) => `${each.version} ${each.subject}`),
  );
  const placed: NewOutcome[] = [];
  for (const [place, found] of placeOutcomes(sound, versions, exposures).entries()) {
    if ('field' in found) fail(sound[place].index, found);
    else placed.push(found);
  }
  const known = new Set(
    await readKnownEvents(
      database,
      key,
      placed.map(({ event }) => event),
    ),
  );
  const fresh: NewOutcome[] = [];
  const duplicates = new Map<number, number>();
  for (const outcome of placed) {
    if (known.has(outcome.event)) duplicates.set(outcome.version, (duplicates.get(outcome.version) ?? 0) + 1);
    else fresh.push(outcome);
    known.add(outcome.event);
  }
  if (placed.length > 0) await database.commit(insertOutcomes(database, key, fresh, duplicates));
  const isOverridden = ({ version, subject }: NewOutcome): boolean => overridden.has(`${version} ${subject}`);
  const count = (condition: (outcome: NewOutcome) => boolean): number => fresh.filter(condition).length;
  return {
    accepted: count((each) => each.falls === 'within' && !isOverridden(each)),
    duplicates: placed.length - fresh.length,
    ignored: {
      beforeExposure: count(({ falls }) => falls === 'before'),
      afterStop: count(({ falls }) => falls === 'after'),
      overridden: count((each) => each.falls === 'within' && isOverridden(each)),
    },
    problems: problems.sort((a, b) => a.index - b.index),
  };
}
