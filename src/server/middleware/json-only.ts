import type { MiddlewareHandler } from 'hono';
import { problem } from '../problem.ts';
import { respond } from '../respond.ts';

const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i;
const NOT_JSON = problem(
  415,
  'unsupported-media-type',
  'Unsupported media type',
  'Send JSON with the header Content-Type: application/json.',
);

/** Refuses bodies that do not say they are JSON. */
export const jsonOnly: MiddlewareHandler = async (context, next) => {
  const hasBody = ['POST', 'PUT', 'PATCH'].includes(context.req.method);
  const isJson = JSON_TYPE.test(context.req.header('content-type') ?? '');
  return hasBody && !isJson ? respond(NOT_JSON) : next();
};
