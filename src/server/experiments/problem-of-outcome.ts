import type { MetricType } from '../../contract/experiment.ts';
import { MOST_VALUE, type Outcome } from '../../contract/outcome.ts';
import { problemOfId } from './problem-of-id.ts';

/** A field of an outcome and what is wrong with it. */
export interface OutcomeProblem {
  readonly field: keyof Outcome;
  readonly detail: string;
}

/** Milliseconds that a caller's clock may be ahead. */
const AHEAD = 86_400_000;

/** What is wrong with an outcome whatever its metric, or null. */
export function problemOfOutcome(
  { eventId, subject, value, denominator, at }: Outcome,
  now: number,
): OutcomeProblem | null {
  const event = problemOfId(eventId);
  if (event !== null) return { field: 'eventId', detail: event };
  const unfit = problemOfId(subject);
  if (unfit !== null) return { field: 'subject', detail: unfit };
  if (value !== undefined && !(isNumber(value) && Math.abs(value) <= MOST_VALUE)) {
    return { field: 'value', detail: `must be a finite number of at most ${MOST_VALUE}` };
  }
  if (denominator !== undefined && !(isNumber(denominator) && denominator >= 0 && denominator <= MOST_VALUE)) {
    return { field: 'denominator', detail: `must be a number from 0 to ${MOST_VALUE}` };
  }
  if (at !== undefined && !Number.isFinite(at)) return { field: 'at', detail: 'is no time' };
  if (at !== undefined && at > now + AHEAD) return { field: 'at', detail: 'lies more than a day ahead' };
  return null;
}

/** JSON writes NaN as null, which would pass for 0. */
function isNumber(value: unknown): boolean {
  return typeof value === 'number';
}

/** What is wrong with an outcome as one of a metric, or null. */
export function problemOfValue({ value, denominator }: Outcome, type: MetricType): OutcomeProblem | null {
  if (denominator !== undefined && type !== 'ratio') {
    return { field: 'denominator', detail: `belongs to ratio metrics; this is a ${type} metric` };
  }
  switch (type) {
    case 'binomial':
      return value === undefined || value === 0 || value === 1
        ? null
        : { field: 'value', detail: 'must be 0 or 1, as of a binomial metric' };
    case 'count':
      return value === undefined || value === 1
        ? null
        : {
            field: 'value',
            detail: 'must be 1 or left out: a count metric counts events; use a mean metric for amounts',
          };
    case 'mean':
    case 'ratio':
      return value === undefined ? { field: 'value', detail: `is needed by a ${type} metric` } : null;
  }
}
