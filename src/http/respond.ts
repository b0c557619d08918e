import type { Hook } from '@hono/zod-openapi';
import type { Env } from 'hono';
import { invalidBody, type Problem } from './problem.ts';

/** A problem as a response. */
export function respond(answer: Problem): Response {
  return new Response(JSON.stringify(answer), {
    status: answer.status,
    headers: { 'content-type': 'application/problem+json' },
  });
}

/** Answers a body or parameter that does not fit its schema with 422 and pointers. */
export const onInvalid: Hook<unknown, Env, string, unknown> = (result) =>
  result.success ? undefined : respond(invalidBody(result.error));
