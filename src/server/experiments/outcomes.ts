import { MAX_OUTCOMES, type MetricType, type Outcome, type RecordedOutcomes } from '../../contract/index.ts';
import {
  type Database,
  insertOutcomes,
  type NewOutcome,
  readExposures,
  readKnownEvents,
  readVersions,
  type StoredExperiment,
  type StoredExposure,
} from '../../store/index.ts';
import { ExperimentNotFoundError, InvalidExperimentError } from '../errors.ts';
import { definitionOf, isAutomatic, metricsOf, problemOfId } from './experiment.ts';

/** `at` is in milliseconds since 1970; the arrival by default. */
export interface ReceivedOutcome extends Omit<Outcome, 'at'> {
  readonly at?: number | undefined;
}

type TimedOutcome = ReceivedOutcome & { readonly at: number };

interface OutcomeProblem {
  readonly field: keyof ReceivedOutcome;
  readonly detail: string;
}

/** Keeps the sum of squares finite. */
const MAX_VALUE = 1e15;

const AHEAD = 86_400_000;

/**
 * Stores outcomes and adds them to the totals of their subjects, in one commit. Invalid ones do not affect the others. The result depends
 * neither on their order nor on batches.
 *
 * @param outcomes at most 1,000; null for those already rejected
 * @throws ExperimentNotFoundError
 * @throws InvalidExperimentError for too many at once
 */
export async function recordOutcomes(
  database: Database,
  key: string,
  outcomes: readonly (ReceivedOutcome | null)[],
): Promise<RecordedOutcomes> {
  if (outcomes.length > MAX_OUTCOMES) {
    throw new InvalidExperimentError([{ pointer: '/outcomes', detail: `holds more than ${MAX_OUTCOMES} outcomes` }]);
  }
  const versions = await readVersions(database, key);
  if (versions.length === 0) throw new ExperimentNotFoundError();
  const now = database.now();
  const problems: { index: number; pointer: string; detail: string }[] = [];
  const fail = (index: number, { field, detail }: OutcomeProblem): void => {
    problems.push({ index, pointer: `/outcomes/${index}/${field}`, detail });
  };
  const sound: (TimedOutcome & { readonly index: number })[] = [];
  for (const [index, outcome] of outcomes.entries()) {
    if (outcome === null) continue;
    const problem = problemOfOutcome(outcome, now);
    if (problem !== null) fail(index, problem);
    // Clocks differ: clamp future times to now.
    else sound.push({ ...outcome, index, at: Math.min(Math.floor(outcome.at ?? now), now) });
  }
  const exposures = await readExposures(database, key, [...new Set(sound.map(({ subject }) => subject))]);
  const placed: NewOutcome[] = [];
  for (const [place, found] of placeOutcomes(sound, versions, exposures).entries()) {
    if ('field' in found) fail(sound[place].index, found);
    else placed.push(found);
  }
  const events = placed.map(({ event }) => event);
  const known = new Set(await readKnownEvents(database, key, events));
  const fresh: NewOutcome[] = [];
  const duplicates = new Map<number, number>();
  for (const outcome of placed) {
    if (known.has(outcome.event)) duplicates.set(outcome.version, (duplicates.get(outcome.version) ?? 0) + 1);
    else fresh.push(outcome);
    known.add(outcome.event);
  }
  if (placed.length > 0) await database.commit(insertOutcomes(database, key, fresh, duplicates));
  const overridden = new Set(
    exposures.filter((each) => each.overridden).map((each) => `${each.version} ${each.subject}`),
  );
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

function problemOfOutcome(
  { eventId, subject, value, denominator, at }: ReceivedOutcome,
  now: number,
): OutcomeProblem | null {
  const event = problemOfId(eventId);
  if (event !== null) return { field: 'eventId', detail: event };
  const unfit = problemOfId(subject);
  if (unfit !== null) return { field: 'subject', detail: unfit };
  if (value !== undefined && !(isNumber(value) && Math.abs(value) <= MAX_VALUE)) {
    return { field: 'value', detail: `must be a finite number of at most ${MAX_VALUE}` };
  }
  if (denominator !== undefined && !(isNumber(denominator) && denominator >= 0 && denominator <= MAX_VALUE)) {
    return { field: 'denominator', detail: `must be a number from 0 to ${MAX_VALUE}` };
  }
  if (at !== undefined && !Number.isFinite(at)) return { field: 'at', detail: 'is not a valid time' };
  if (at !== undefined && at > now + AHEAD) return { field: 'at', detail: 'is more than a day in the future' };
  return null;
}

/** JSON writes NaN as null, which would pass for 0. */
function isNumber(value: unknown): boolean {
  return typeof value === 'number';
}

function problemOfValue({ value, denominator }: ReceivedOutcome, type: MetricType): OutcomeProblem | null {
  if (denominator !== undefined && type !== 'ratio') {
    return { field: 'denominator', detail: `belongs to ratio metrics; this is a ${type} metric` };
  }
  if (type === 'binomial' && value !== undefined && value !== 0 && value !== 1) {
    return { field: 'value', detail: 'must be 0 or 1, as of a binomial metric' };
  }
  if (type === 'count' && value !== undefined && value !== 1) {
    const detail = 'must be 1 or left out: a count metric counts events; use a mean metric for amounts';
    return { field: 'value', detail };
  }
  const needsValue = type === 'mean' || type === 'ratio';
  return needsValue && value === undefined ? { field: 'value', detail: `is missing; a ${type} metric needs it` } : null;
}

/** Assigns each outcome to the last version that its subject saw before its time, or to the first. Returns rows or problems. */
function placeOutcomes(
  outcomes: readonly TimedOutcome[],
  versions: readonly StoredExperiment[],
  exposures: readonly StoredExposure[],
): (NewOutcome | OutcomeProblem)[] {
  const ends = new Map(versions.map(({ version, stoppedAt }) => [version, stoppedAt ?? Number.POSITIVE_INFINITY]));
  const metrics = new Map(versions.map((stored) => [stored.version, placesOf(stored)]));
  const seen = new Map<string, StoredExposure[]>();
  for (const exposure of exposures.toSorted((a, b) => a.version - b.version)) {
    seen.set(exposure.subject, [...(seen.get(exposure.subject) ?? []), exposure]);
  }
  return outcomes.map((outcome) => {
    const { eventId: event, subject, at } = outcome;
    const [first, ...later] = seen.get(subject) ?? [];
    if (first === undefined) return { field: 'subject', detail: 'was not exposed to a variant of this experiment' };
    const { version, exposedAt } = later.findLast((exposure) => exposure.exposedAt <= at) ?? first;
    const metric = metrics.get(version)?.get(outcome.metric);
    if (metric === undefined) return { field: 'metric', detail: 'is not a metric of this experiment' };
    if (isAutomatic(outcome.metric)) return { field: 'metric', detail: 'is recorded by the service' };
    const problem = problemOfValue(outcome, metric.type);
    if (problem !== null) return problem;
    const falls = at < exposedAt ? 'before' : at > (ends.get(version) ?? 0) ? 'after' : 'within';
    const value = outcome.value ?? 1;
    const denominator = metric.type === 'ratio' ? (outcome.denominator ?? 1) : 0;
    return { event, subject, version, metric: metric.place, value, denominator, at, falls };
  });
}

function placesOf(stored: StoredExperiment): Map<string, { readonly place: number; readonly type: MetricType }> {
  return new Map(metricsOf(definitionOf(stored)).map(({ key, type }, place) => [key, { place, type }]));
}
