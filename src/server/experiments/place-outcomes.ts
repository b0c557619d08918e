import type { StoredExposure } from '../../store/experiment-exposures.ts';
import type { NewOutcome } from '../../store/experiment-outcomes.ts';
import type { StoredExperiment } from '../../store/experiments.ts';
import { isAutomatic, type MetricType } from '../../contract/experiment.ts';
import { metricsOf } from './metrics-of.ts';
import type { Outcome } from '../../contract/outcome.ts';
import { type OutcomeProblem, problemOfValue } from './problem-of-outcome.ts';
import { definitionOf } from './read-experiment.ts';

/** An outcome with its time. */
export type TimedOutcome = Outcome & { readonly at: number };

/**
 * Finds out where outcomes belong: to the version that their subject saw last before their time, and to its first where it saw none
 * before.
 *
 * @param versions all of the experiment
 * @param exposures of the subjects
 * @returns for each outcome what is to be kept, or what is wrong with it
 */
export function placeOutcomes(
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
    if (first === undefined) return { field: 'subject', detail: 'saw no variant of this experiment' };
    const { version, exposedAt } = later.findLast((exposure) => exposure.exposedAt <= at) ?? first;
    const metric = metrics.get(version)?.get(outcome.metric);
    if (metric === undefined) return { field: 'metric', detail: 'is no metric of this experiment' };
    if (isAutomatic(outcome.metric)) return { field: 'metric', detail: 'is recorded by the service itself' };
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
