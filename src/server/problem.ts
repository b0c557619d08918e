import type { ZodError } from 'zod';
import { type Problem, problemsIn } from '../contract/index.ts';
import { ModelCallError } from '../models/index.ts';
import { StorageFullError } from '../store/index.ts';
import { TesseraError } from '../text/index.ts';
import {
  ConflictError,
  InvalidExperimentError,
  NotFoundError,
  OverloadedError,
  TooManyDigestsError,
  TooManyStreamsError,
} from './errors.ts';

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

/** The only place that maps errors to statuses. Unknown errors become a 500 without details. */
export function problemOf(error: unknown): Problem {
  if (error instanceof NotFoundError) return notFound(error.message);
  if (error instanceof OverloadedError) return problem(503, error.code, 'Overloaded', error.message);
  if (error instanceof TooManyDigestsError) return problem(429, error.code, 'Too many digests', error.message);
  if (error instanceof TooManyStreamsError) return problem(429, error.code, 'Too many streams', error.message);
  if (error instanceof ModelCallError) return problem(502, error.code, 'Language model request failed', error.message);
  if (error instanceof StorageFullError) return problem(507, error.code, 'Insufficient storage', error.message);
  if (error instanceof InvalidExperimentError) return invalid(error.problems);
  if (error instanceof ConflictError) {
    const errors = error.pointer === null ? undefined : [{ pointer: error.pointer, detail: error.message }];
    return problem(409, error.code, 'Conflict', error.message, errors);
  }
  if (error instanceof TesseraError && error.pointer !== null) {
    return invalid([{ pointer: error.pointer, detail: error.message }]);
  }
  if (error instanceof TesseraError) return problem(422, error.code, 'Request not supported', error.message);
  return problem(500, 'internal-error', 'Internal error', 'The service failed; the request was not the cause.');
}

export const HEADERS_TOO_LARGE = problem(
  431,
  'headers-too-large',
  'Request headers too large',
  'The headers of a request may have at most 16 kB.',
);

export function notFound(detail: string): Problem {
  return problem(404, 'not-found', 'Not found', detail);
}

const MAX_ERRORS = 100;

/** 422 with a JSON pointer for each error. */
export function invalid(errors: NonNullable<Problem['errors']>): Problem {
  const [first] = errors;
  const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : '';
  const detail = `${first.pointer || 'The body'}: ${first.detail}${more}`;
  return problem(422, 'invalid-request', 'Invalid request', detail, errors.slice(0, MAX_ERRORS));
}

export function invalidBody(error: ZodError): Problem {
  return invalid(problemsIn(error, []));
}

/** The problem of a failed job for callers, and whether a retry may help. */
export function describeFailure(failure: unknown): { readonly problem: Problem; readonly isTransient: boolean } {
  const known = problemOf(failure);
  return { problem: known, isTransient: known.status >= 500 };
}

export function respond(answer: Problem, headers: Readonly<Record<string, string>> = {}): Response {
  return new Response(JSON.stringify(answer), {
    status: answer.status,
    headers: { 'content-type': 'application/problem+json', ...headers },
  });
}

/** Answers 422 if a body or parameter does not match its schema. */
export function onInvalid(
  result: { readonly success: true } | { readonly success: false; readonly error: ZodError },
): Response | undefined {
  return result.success ? undefined : respond(invalidBody(result.error));
}

type Plain<T> = T extends readonly (infer Item)[]
  ? Plain<Item>[]
  : T extends object
    ? { -readonly [Key in keyof T]: Plain<T[Key]> }
    : T;

/** Makes the type mutable, as Hono's typed answers require. */
export function plain<T>(value: T): Plain<T> {
  return value as Plain<T>;
}
