import { counted, TesseraError } from '../text/index.ts';

/** Status and title of every problem by its code. */
export const PROBLEMS = {
  'malformed-host': [400, 'The host is malformed'],
  'malformed-idempotency-key': [400, 'Malformed Idempotency-Key'],
  'malformed-json': [400, 'Malformed JSON'],
  'authentication-required': [401, 'Authentication required'],
  'invalid-key': [401, 'Invalid key'],
  'foreign-host': [403, 'Foreign host'],
  'insufficient-scope': [403, 'Insufficient scope'],
  'not-found': [404, 'Not found'],
  'method-not-allowed': [405, 'Method not allowed'],
  'digest-cancelled': [409, 'Cancelled'],
  'digest-not-failed': [409, 'Conflict'],
  'experiment-exists': [409, 'Conflict'],
  'experiment-running': [409, 'Conflict'],
  'experiment-state': [409, 'Conflict'],
  'idempotency-key-in-flight': [409, 'Request in progress'],
  'webhook-not-failed': [409, 'Conflict'],
  'body-too-large': [413, 'Request body too large'],
  'unsupported-media-type': [415, 'Unsupported media type'],
  'collection-full': [422, 'Request not supported'],
  'idempotency-key-reused': [422, 'Idempotency-Key reused'],
  'invalid-request': [422, 'Invalid request'],
  'too-many-fields': [422, 'The request holds too many values'],
  'too-many-subscriptions': [422, 'Request not supported'],
  'too-many-digests': [429, 'Too many digests'],
  'too-many-requests': [429, 'Too many requests'],
  'too-many-streams': [429, 'Too many streams'],
  'internal-error': [500, 'Internal error'],
  misconfigured: [500, 'The service is not configured'],
  'model-call-failed': [502, 'Language model request failed'],
  overloaded: [503, 'Overloaded'],
  'insufficient-storage': [507, 'Insufficient storage'],
} as const;

export type ProblemCode = keyof typeof PROBLEMS;

/** What a problem says unless the case has words of its own. */
export const DETAILS: Partial<Readonly<Record<ProblemCode, string>>> = {
  'malformed-host': 'The Host header names no host.',
  'malformed-idempotency-key': 'Idempotency-Key must be 1 to 255 visible ASCII characters.',
  'malformed-json': 'The request body is not valid JSON.',
  'authentication-required': 'Send a key in the header "Authorization: Bearer tsr_…".',
  'invalid-key': 'The key is mistyped, unknown or revoked.',
  'foreign-host':
    'Until a key exists, the service accepts only requests to localhost; create a key to use another host name.',
  'digest-cancelled': 'The digest was cancelled while its caller waited.',
  'digest-not-failed':
    'Only a digest whose work failed can be retried; this one is being made, has an answer, or was cancelled.',
  'idempotency-key-in-flight': 'The first request with this Idempotency-Key is still in progress; retry later.',
  'webhook-not-failed':
    'Only a webhook that could not be delivered can be retried; this one is waiting or was delivered.',
  'unsupported-media-type': 'Send JSON with the header Content-Type: application/json.',
  'idempotency-key-reused': 'This Idempotency-Key was used for a different request; use a new key.',
  'internal-error': 'The service failed; the request was not the cause.',
  misconfigured: 'Its log says what is wrong.',
  'model-call-failed': 'The language model did not respond in time.',
  overloaded: 'The service is overloaded; retry later.',
  'insufficient-storage': 'The service has no room left to keep anything: ask again once its operator has made some.',
};

/** A refusal that callers get as the problem of this code. */
export class ServiceError extends TesseraError {
  readonly code: ProblemCode;
  override readonly pointer: string | null;

  constructor(code: ProblemCode, message: string = DETAILS[code] ?? PROBLEMS[code][1], pointer: string | null = null) {
    super(message);
    this.code = code;
    this.pointer = pointer;
  }
}

const MISSING = {
  digest: 'There is no digest with this id.',
  'digest document': 'There is no document with this id in the digest.',
  'document text': 'The text of this document is no longer stored.',
  collection: 'There is no collection with this id.',
  document: 'There is no document with this id in the collection.',
  experiment: 'There is no experiment with this key.',
  'experiment version': 'There is no such version of the experiment.',
  subscription: 'There is no subscription with this id; it was deleted, or its collection was.',
  webhook: 'There is no webhook with this id.',
};

/** The resource does not exist, or belongs to another tenant. */
export class NotFoundError extends TesseraError {
  readonly code = 'not-found';

  constructor(what: keyof typeof MISSING) {
    super(MISSING[what]);
  }
}

export class ExperimentNotFoundError extends NotFoundError {
  constructor(version: number | null = null) {
    super(version === null ? 'experiment' : 'experiment version');
  }
}

export interface PointedProblem {
  readonly pointer: string;
  readonly detail: string;
}

export class InvalidExperimentError extends TesseraError {
  readonly code = 'invalid-experiment';
  override readonly pointer: string;
  /** All problems; `pointer` and message describe the first. */
  readonly problems: readonly PointedProblem[];

  constructor(problems: readonly [PointedProblem, ...PointedProblem[]]) {
    super(problems[0].detail);
    this.pointer = problems[0].pointer;
    this.problems = problems;
  }
}

/** Rethrows any error without a pointer. */
export function pointedProblem(error: unknown): PointedProblem {
  if (!(error instanceof TesseraError) || error.pointer === null) throw error;
  return { pointer: error.pointer, detail: error.message };
}

/** A field that subjects and outcomes depend on can only change in a new version after the start. */
export function experimentRunning(field: string, state: 'running' | 'stopped'): ServiceError {
  const ran = state === 'running' ? 'is running' : 'has run';
  const detail = `The experiment ${ran}: its ${field} can only change in a new version ("newVersion": true).`;
  return new ServiceError('experiment-running', detail, `/${field}`);
}

/** @param most of the documents that a collection may hold */
export function collectionFull(most: number): ServiceError {
  const detail = `A collection holds ${counted(most, 'document')} at most: delete some, or use another collection.`;
  return new ServiceError('collection-full', detail);
}

/** @param most of the digests of a tenant that may be under way */
export function tooManyDigests(most: number): ServiceError {
  const detail = `${counted(most, 'digest')} may be under way at once, and no more: wait until one has ended, or cancel one.`;
  return new ServiceError('too-many-digests', detail);
}

export class OverloadedError extends ServiceError {
  readonly reason: 'waiting' | 'queue' | 'bodies' | 'stopping';

  constructor(reason: OverloadedError['reason']) {
    super('overloaded', reason === 'stopping' ? 'The service is stopping; send the request again.' : undefined);
    this.reason = reason;
  }
}

export class CallerGoneError extends TesseraError {
  readonly code = 'caller-gone';
}

/** A webhook that could not be sent; the code is the outcome of the attempt. */
export class DeliveryError extends TesseraError {
  readonly code: 'target-refused' | 'timeout' | 'no-answer';

  constructor(code: DeliveryError['code'], message: string) {
    super(message);
    this.code = code;
  }
}

export class ConfigurationError extends TesseraError {
  readonly code = 'configuration';
}
