import type { Problem } from './types.ts';

/** What is known of a failure. */
export interface FailureFacts {
  readonly status?: number | null;
  readonly problem?: Problem | null;
  readonly requestId?: string | null;
  readonly retryAfterSeconds?: number | null;
  readonly cause?: unknown;
}

/** The base of every failure of the client's; neither its message nor its JSON holds the key. */
export class TesseraClientError extends Error {
  /** HTTP status; null where there was no answer. */
  readonly status: number | null;
  /** What the service says of it. */
  readonly problem: Problem | null;
  /** Names the request in the service's log. */
  readonly requestId: string | null;
  /** When to come back; null where the service did not say. */
  readonly retryAfterSeconds: number | null;

  constructor(message: string, facts: FailureFacts = {}) {
    super(message, facts.cause === undefined ? undefined : { cause: facts.cause });
    this.name = new.target.errorName;
    this.status = facts.status ?? null;
    this.problem = facts.problem ?? null;
    this.requestId = facts.requestId ?? null;
    this.retryAfterSeconds = facts.retryAfterSeconds ?? null;
  }

  /** The class's name, also where a bundler shortens those of classes. */
  static readonly errorName: string = 'TesseraClientError';

  toJSON(): object {
    return { ...this, message: this.message };
  }
}

/** The request is at fault: 400, 413, 415 or 422. */
export class ValidationError extends TesseraClientError {
  static override readonly errorName: string = 'ValidationError';
  /** JSON pointers into the request. */
  readonly errors: NonNullable<Problem['errors']>;

  constructor(message: string, facts: FailureFacts = {}) {
    super(message, facts);
    this.errors = facts.problem?.errors ?? [];
  }
}

/** The key is missing, unknown or revoked. */
export class AuthenticationError extends TesseraClientError {
  static override readonly errorName: string = 'AuthenticationError';
}

/** The key may not do this. */
export class PermissionError extends TesseraClientError {
  static override readonly errorName: string = 'PermissionError';
}

/** There is no such thing, or not for this key. */
export class NotFoundError extends TesseraClientError {
  static override readonly errorName: string = 'NotFoundError';
}

/** Something else is under way, such as the first call with this idempotency key. */
export class ConflictError extends TesseraClientError {
  static override readonly errorName: string = 'ConflictError';
}

/** Too many requests of this tenant. */
export class RateLimitError extends TesseraClientError {
  static override readonly errorName: string = 'RateLimitError';
}

/** The service takes no more work for now. */
export class OverloadedError extends TesseraClientError {
  static override readonly errorName: string = 'OverloadedError';
}

/** The service failed: 500, 502 or another status of this kind. */
export class ServerError extends TesseraClientError {
  static override readonly errorName: string = 'ServerError';
}

/** An answer that the service does not give; most likely something else stands at this address. */
export class UnexpectedAnswerError extends TesseraClientError {
  static override readonly errorName: string = 'UnexpectedAnswerError';
}

/** The service could not be reached, or the connection broke. */
export class ConnectionError extends TesseraClientError {
  static override readonly errorName: string = 'ConnectionError';
}

/** It took longer than the caller allows. */
export class TimeoutError extends TesseraClientError {
  static override readonly errorName: string = 'TimeoutError';
}

/** The digest could not be made; `problem` says why. */
export class DigestFailedError extends TesseraClientError {
  static override readonly errorName: string = 'DigestFailedError';
  readonly digestId: string | null;

  constructor(digestId: string | null, problem: Problem | null) {
    super(`The digest${named(digestId)} could not be made: ${problem?.detail ?? 'no reason was given'}`, {
      status: problem?.status ?? null,
      problem,
    });
    this.digestId = digestId;
  }
}

/** The digest was cancelled. */
export class DigestCancelledError extends TesseraClientError {
  static override readonly errorName: string = 'DigestCancelledError';
  readonly digestId: string | null;

  constructor(digestId: string | null) {
    super(`The digest${named(digestId)} was cancelled`);
    this.digestId = digestId;
  }
}

const named = (id: string | null): string => (id === null ? '' : ` ${id}`);
