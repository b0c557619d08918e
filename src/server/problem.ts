import type { ZodError } from 'zod';
import { type Problem, problemsIn } from '../contract/index.ts';
import { TesseraError } from '../text/index.ts';
import { DETAILS, InvalidExperimentError, PROBLEMS, type ProblemCode } from './errors.ts';

const TYPES = 'urn:tessera:problem:';

export function problem(code: ProblemCode, detail = DETAILS[code] ?? '', errors?: Problem['errors']): Problem {
  const [status, title] = PROBLEMS[code];
  return { type: `${TYPES}${code}`, title, status, detail, ...(errors && { errors }) };
}

/** The only place that maps errors to statuses. Unknown errors become a 500 without details. */
export function problemOf(error: unknown): Problem {
  if (!(error instanceof TesseraError)) return problem('internal-error');
  const { code, message, pointer } = error;
  if (error instanceof InvalidExperimentError) return invalid(error.problems);
  const errors = pointer === null ? undefined : [{ pointer, detail: message }];
  if (isProblem(code)) return problem(code, message, errors);
  return errors
    ? invalid(errors)
    : { type: `${TYPES}${code}`, title: 'Request not supported', status: 422, detail: message };
}

/** Whether the service failed, rather than refused the request. */
export function isFailure({ status }: Problem): boolean {
  return status >= 500 && status !== 503;
}

function isProblem(code: string): code is ProblemCode {
  return Object.hasOwn(PROBLEMS, code);
}

const MAX_ERRORS = 100;

/** 422 with a JSON pointer for each error. */
export function invalid(errors: NonNullable<Problem['errors']>): Problem {
  const [first] = errors;
  const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : '';
  const detail = `${first.pointer || 'The body'}: ${first.detail}${more}`;
  return problem('invalid-request', detail, errors.slice(0, MAX_ERRORS));
}

export function invalidBody(error: ZodError): Problem {
  return invalid(problemsIn(error, []));
}

export function respond(given: Problem | ProblemCode, headers: Readonly<Record<string, string>> = {}): Response {
  const answer = typeof given === 'string' ? problem(given) : given;
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
