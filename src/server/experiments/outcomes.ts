import {
  type MetricType,
  type Outcome,
  outcomeSchema,
  problemsIn,
  type RecordedOutcomes,
} from '../../contract/index.ts';
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
import { groupBy } from '../../text/index.ts';
import { ExperimentNotFoundError, type PointedProblem } from '../errors.ts';
import { definitionOf, firstProblem, isAutomatic, metricsOf, problemOfId } from './experiment.ts';

/** Keeps the sum of squares finite. */
const MAX_VALUE = 1e15;

const AHEAD = 86_400_000;

/**
 * Stores outcomes and adds them to the totals of their subjects, in one commit. Invalid ones do not affect the others. The result depends
 * neither on their order nor on batches.
 *
 * @param batch still to be validated, one by one
 * @throws ExperimentNotFoundError
 */
export async function recordOutcomes(
  database: Database,
  key: string,
  batch: readonly unknown[],
): Promise<RecordedOutcomes> {
  const versions = await readVersions(database, key);
  if (versions.length === 0) throw new ExperimentNotFoundError();
  const outcomes = batch.map((each) => outcomeSchema.safeParse(each));
  const subjects = new Set(outcomes.flatMap(({ data }) => data?.subject ?? []));
  const exposures = await readExposures(database, key, [...subjects]);
  const placed: NewOutcome[] = [];
  const problems: RecordedOutcomes['problems'][number][] = [];
  const place = placing(versions, exposures, database.now());
  for (const [index, { success, data, error }] of outcomes.entries()) {
    if (!success) {
      problems.push(...problemsIn(error, ['outcomes', index]).map((problem) => ({ index, ...problem })));
      continue;
    }
    const found = place(data);
    if ('event' in found) placed.push(found);
    else problems.push({ index, pointer: `/outcomes/${index}${found.pointer}`, detail: found.detail });
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
  const nameOf = ({ version, subject }: StoredExposure | NewOutcome) => `${version} ${subject}`;
  const overridden = new Set(exposures.filter((each) => each.overridden).map(nameOf));
  const isOverridden = (outcome: NewOutcome) => overridden.has(nameOf(outcome));
  const count = (condition: (outcome: NewOutcome) => boolean): number => fresh.filter(condition).length;
  return {
    accepted: count((each) => each.falls === 'within' && !isOverridden(each)),
    duplicates: placed.length - fresh.length,
    ignored: {
      beforeExposure: count(({ falls }) => falls === 'before'),
      afterStop: count(({ falls }) => falls === 'after'),
      overridden: count((each) => each.falls === 'within' && isOverridden(each)),
    },
    problems,
  };
}

/** What is wrong whatever the metric, beyond the schema. */
function problemOfOutcome({ eventId, subject, value = 0, denominator = 0 }: Outcome, at: number, now: number) {
  return firstProblem([
    ['/eventId', problemOfId(eventId)],
    ['/subject', problemOfId(subject)],
    ['/value', Math.abs(value) > MAX_VALUE && `must be a finite number of at most ${MAX_VALUE}`],
    ['/denominator', denominator > MAX_VALUE && `must be a number from 0 to ${MAX_VALUE}`],
    ['/at', at > now + AHEAD && 'is more than a day in the future'],
  ]);
}

const COUNTS = 'must be 1 or left out: a count metric counts events; use a mean metric for amounts';

function problemOfValue({ value, denominator }: Outcome, type: MetricType) {
  const isAmount = type === 'mean' || type === 'ratio';
  const isOne = value === undefined || value === 1;
  return firstProblem([
    [
      '/denominator',
      denominator !== undefined && type !== 'ratio' && `belongs to ratio metrics; this is a ${type} metric`,
    ],
    ['/value', type === 'binomial' && !isOne && value !== 0 && 'must be 0 or 1, as of a binomial metric'],
    ['/value', type === 'count' && !isOne && COUNTS],
    ['/value', isAmount && value === undefined && `is missing; a ${type} metric needs it`],
  ]);
}

/** Assigns each outcome to the last version that its subject saw before its time, or to the first. */
function placing(
  versions: readonly StoredExperiment[],
  exposures: readonly StoredExposure[],
  now: number,
): (outcome: Outcome) => NewOutcome | PointedProblem {
  const ends = new Map(versions.map(({ version, stoppedAt }) => [version, stoppedAt ?? Number.POSITIVE_INFINITY]));
  const metrics = new Map(versions.map((stored) => [stored.version, metricsOf(definitionOf(stored))]));
  const seen = groupBy(
    exposures.toSorted((a, b) => a.version - b.version),
    ({ subject }) => subject,
  );
  return (outcome) => {
    const { eventId: event, subject } = outcome;
    const time = outcome.at === undefined ? now : Date.parse(outcome.at);
    const unsound = problemOfOutcome(outcome, time, now);
    if (unsound !== null) return unsound;
    const at = Math.min(time, now); // clocks differ
    const [first, ...later] = seen.get(subject) ?? [];
    if (first === undefined) return { pointer: '/subject', detail: 'was not exposed to a variant of this experiment' };
    const { version, exposedAt } = later.findLast((exposure) => exposure.exposedAt <= at) ?? first;
    const own = metrics.get(version) ?? [];
    const metric = own.findIndex(({ key }) => key === outcome.metric);
    if (metric < 0) return { pointer: '/metric', detail: 'is not a metric of this experiment' };
    if (isAutomatic(outcome.metric)) return { pointer: '/metric', detail: 'is recorded by the service' };
    const { type } = own[metric];
    const problem = problemOfValue(outcome, type);
    if (problem !== null) return problem;
    const falls = at < exposedAt ? 'before' : at > (ends.get(version) ?? 0) ? 'after' : 'within';
    const denominator = type === 'ratio' ? (outcome.denominator ?? 1) : 0;
    return { event, subject, version, metric, value: outcome.value ?? 1, denominator, at, falls };
  };
}
