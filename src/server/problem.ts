import type { ZodError } from 'zod';
import { type Problem, problemsIn } from '../contract/index.ts';
import { ModelCallError } from '../models/index.ts';
import { StorageFullError } from '../store/index.ts';
import { TesseraError } from '../text/index.ts';
import { ExperimentExistsError } from './experiments/experiment-exists-error.ts';
import { ExperimentRunningError } from './experiments/experiment-running-error.ts';
import { ExperimentStateError } from './experiments/experiment-state-error.ts';
import { InvalidExperimentError } from './experiments/invalid-experiment-error.ts';
import { LayerTakenError } from './experiments/layer-taken-error.ts';
import { TooManyStreamsError } from './jobs/digest-feeds.ts';
import { DigestNotFailedError } from './jobs/digest-not-failed-error.ts';
import { TooManyDigestsError } from './jobs/too-many-digests-error.ts';
import { OverloadedError } from './middleware/overloaded-error.ts';
import { NotFoundError } from './stored/not-found-error.ts';
import { WebhookNotFailedError } from './webhooks/webhook-not-failed-error.ts';

/** Problem types are names, not pages. */
const TYPES = 'urn:tessera:problem:';

export function problem(
  status: number,
  code: string,
  title: string,
  detail: string,
  errors?: Problem['errors'],
): Problem {
  return { type: `${TYPES}${code}`, title, status, detail, ...(errors && { errors }) };
}

/** The answer to a failure: the only place that knows which status a Tessera error has. Others say nothing of themselves. */
export function problemOf(error: unknown): Problem {
  if (error instanceof NotFoundError) return problem(404, error.code, 'Not found', error.message);
  if (error instanceof OverloadedError) return problem(503, error.code, 'Overloaded', error.message);
  if (error instanceof TooManyDigestsError) return problem(429, error.code, 'Too many digests', error.message);
  if (error instanceof TooManyStreamsError) return problem(429, error.code, 'Too many streams', error.message);
  if (error instanceof ModelCallError) return problem(502, error.code, 'Language model request failed', error.message);
  if (error instanceof StorageFullError) return problem(507, error.code, 'Insufficient storage', error.message);
  if (error instanceof InvalidExperimentError) return invalid(error.problems);
  if (isConflict(error)) return conflict(error);
  if (error instanceof TesseraError && error.pointer !== null) {
    return invalid([{ pointer: error.pointer, detail: error.message }]);
  }
  if (error instanceof TesseraError) return problem(422, error.code, 'Request not supported', error.message);
  return problem(500, 'internal-error', 'Internal error', 'The service failed; the request was not the cause.');
}

const CONFLICTS = [
  DigestNotFailedError,
  ExperimentExistsError,
  ExperimentRunningError,
  ExperimentStateError,
  LayerTakenError,
  WebhookNotFailedError,
];

/** Whether it is not the request that is wrong, but the time. */
function isConflict(error: unknown): error is TesseraError {
  return CONFLICTS.some((each) => error instanceof each);
}

/** 409 with a pointer at what stands in the way, where a field does. */
export function conflict({ code, message, pointer }: Pick<TesseraError, 'code' | 'message' | 'pointer'>): Problem {
  const errors = pointer === null ? undefined : [{ pointer, detail: message }];
  return problem(409, code, 'Conflict', message, errors);
}

/** Things wrong with one request that are listed; the detail counts the rest. */
const MAX_ERRORS = 100;

/** 422 with a JSON pointer for everything that is wrong. */
export function invalid(errors: NonNullable<Problem['errors']>): Problem {
  const [first] = errors;
  const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : '';
  return problem(
    422,
    'invalid-request',
    'Invalid request',
    `${first.pointer || 'The body'}: ${first.detail}${more}`,
    errors.slice(0, MAX_ERRORS),
  );
}

/** The problem of a body that does not fit its schema. */
export function invalidBody(error: ZodError): Problem {
  return invalid(problemsIn(error, []));
}

/** How a failure of a job is told to callers, and whether it may pass. */
export function describeFailure(failure: unknown): { readonly problem: Problem; readonly isTransient: boolean } {
  const known = problemOf(failure);
  return { problem: known, isTransient: known.status >= 500 };
}
