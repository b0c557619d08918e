import {
  AuthenticationError,
  ConflictError,
  NotFoundError,
  OverloadedError,
  PermissionError,
  RateLimitError,
  ServerError,
  type TesseraClientError,
  UnexpectedAnswerError,
  ValidationError,
} from './errors.ts';
import { retryAfter } from './retry-delay.ts';
import type { Problem } from './types.ts';

/** Longest words of an answer in a message. */
const LONGEST = 500;

/** The error for an answer that is no success; `call` names the call in its message. */
export function answerError(call: string, { status, headers }: Response, text: string): TesseraClientError {
  const problem = readProblem(text);
  const facts = { status, problem, requestId: headers.get('x-request-id'), retryAfterSeconds: secondsOf(headers) };
  const words = (problem?.detail || problem?.title || 'it gave no reason').slice(0, LONGEST);
  const message = `${call} was answered with ${status}: ${words}`;
  if (status === 401) return new AuthenticationError(message, facts);
  if (status === 403) return new PermissionError(message, facts);
  if (status === 404) return new NotFoundError(message, facts);
  if (status === 409) return new ConflictError(message, facts);
  if (status === 429) return new RateLimitError(message, facts);
  if (status === 503) return new OverloadedError(message, facts);
  if ([400, 413, 415, 422].includes(status)) return new ValidationError(message, facts);
  if (status >= 500) return new ServerError(message, facts);
  return new UnexpectedAnswerError(message, facts);
}

function secondsOf(headers: Headers): number | null {
  const milliseconds = retryAfter(headers);
  return milliseconds === null ? null : milliseconds / 1000;
}

/** The problem that a body holds; null where it holds none, as the page of a proxy. */
function readProblem(text: string): Problem | null {
  try {
    const value: unknown = JSON.parse(text);
    return isProblem(value) ? value : null;
  } catch {
    return null;
  }
}

function isProblem(value: unknown): value is Problem {
  if (typeof value !== 'object' || value === null) return false;
  const fields: Partial<Record<string, unknown>> = { ...value };
  return (
    typeof fields.type === 'string' &&
    [fields.title, fields.detail].every((words) => words === undefined || typeof words === 'string') &&
    (fields.errors === undefined || Array.isArray(fields.errors))
  );
}
