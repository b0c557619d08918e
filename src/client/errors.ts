import type { Problem } from './types.ts';

export interface FailureFacts {
  readonly status?: number | null;
  readonly problem?: Problem | null;
  readonly requestId?: string | null;
  readonly retryAfterSeconds?: number | null;
  readonly cause?: unknown;
}

/** Base class of the client's errors; neither message nor JSON contains the API key. */
export class TesseraClientError extends Error {
  /** HTTP status; null if there was no answer. */
  readonly status: number | null;
  readonly problem: Problem | null;
  /** Id of the request in the service's log. */
  readonly requestId: string | null;
  /** When to retry; null if the service did not say. */
  readonly retryAfterSeconds: number | null;

  constructor(message: string, facts: FailureFacts = {}) {
    super(message, facts.cause === undefined ? undefined : { cause: facts.cause });
    this.name = new.target.errorName;
    this.status = facts.status ?? null;
    this.problem = facts.problem ?? null;
    this.requestId = facts.requestId ?? null;
    this.retryAfterSeconds = facts.retryAfterSeconds ?? null;
  }

  /** Name that survives minified class names. */
  static readonly errorName: string = 'TesseraClientError';

  toJSON(): object {
    return { ...this, message: this.message };
  }
}

function named(name: string): typeof TesseraClientError {
  return class extends TesseraClientError {
    static override readonly errorName: string = name;
  };
}

/** The request is invalid: 400, 413, 415 or 422. */
export class ValidationError extends named('ValidationError') {
  readonly errors: NonNullable<Problem['errors']>;

  constructor(message: string, facts: FailureFacts = {}) {
    super(message, facts);
    this.errors = facts.problem?.errors ?? [];
  }
}

/** The key is missing, unknown or revoked. */
export class AuthenticationError extends named('AuthenticationError') {}

/** The key lacks the scope. */
export class PermissionError extends named('PermissionError') {}

/** Not found, or not visible to this key. */
export class NotFoundError extends named('NotFoundError') {}

/** In conflict, for example with a first call with the same idempotency key that is under way. */
export class ConflictError extends named('ConflictError') {}

export class RateLimitError extends named('RateLimitError') {}

export class OverloadedError extends named('OverloadedError') {}

export class ServerError extends named('ServerError') {}

/** An answer that the service never gives; probably another server is at this address. */
export class UnexpectedAnswerError extends named('UnexpectedAnswerError') {}

export class ConnectionError extends named('ConnectionError') {}

export class TimeoutError extends named('TimeoutError') {}

/** The digest failed; `problem` says why. */
export class DigestFailedError extends named('DigestFailedError') {
  readonly digestId: string | null;

  constructor(digestId: string | null, problem: Problem | null) {
    super(`The digest${called(digestId)} could not be made: ${problem?.detail ?? 'no reason was given'}`, {
      status: problem?.status ?? null,
      problem,
    });
    this.digestId = digestId;
  }
}

export class DigestCancelledError extends named('DigestCancelledError') {
  readonly digestId: string | null;

  constructor(digestId: string | null) {
    super(`The digest${called(digestId)} was cancelled`);
    this.digestId = digestId;
  }
}

const called = (id: string | null): string => (id === null ? '' : ` ${id}`);
