import type { ZodError } from 'zod';
import type { Problem } from '../contract/index.ts';
import { invalidBody } from './problem.ts';

/** A problem as a response. */
export function respond(answer: Problem, headers: Readonly<Record<string, string>> = {}): Response {
  return new Response(JSON.stringify(answer), {
    status: answer.status,
    headers: { 'content-type': 'application/problem+json', ...headers },
  });
}

/** Answers a body or parameter that does not fit its schema with 422 and pointers; a hook of routes. */
export function onInvalid(
  result: { readonly success: true } | { readonly success: false; readonly error: ZodError },
): Response | undefined {
  return result.success ? undefined : respond(invalidBody(result.error));
}
