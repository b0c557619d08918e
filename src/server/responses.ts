import { z } from '@hono/zod-openapi';
import type { ZodType } from 'zod';
import { type Problem, problemSchema } from '../contract/index.ts';
import { invalid, problem } from './problem.ts';

/** What a media type may give as examples, by name. */
type Examples = Readonly<Record<string, { readonly summary: string; readonly value: unknown }>>;

/** A JSON answer for an OpenAPI route. */
export function json<Schema extends ZodType>(schema: Schema, description: string, examples?: Examples) {
  return { description, content: { 'application/json': { schema, ...(examples && { examples }) } } };
}

/** A JSON body that an OpenAPI route asks for. */
export function jsonBody<Schema extends ZodType>(schema: Schema, examples?: Examples) {
  return { required: true, content: { 'application/json': { schema, ...(examples && { examples }) } } };
}

/** Problems of one status for an OpenAPI route, with an example of each. */
export function problemAnswer(description: string, ...examples: readonly [Problem, ...Problem[]]) {
  const named = examples.map((value) => [value.type.slice(value.type.lastIndexOf(':') + 1), example(value)]);
  const given: Examples = Object.fromEntries(named);
  return { description, content: { 'application/problem+json': { schema: problemSchema, examples: given } } };
}

function example(value: Problem): Examples[string] {
  return { summary: value.title, value };
}

/** 404 with what there is none of. */
export function missing(detail: string, description = detail) {
  return { 404: problemAnswer(description, problem(404, 'not-found', 'Not found', detail)) };
}

const retryAfter = z.object({ 'retry-after': z.string().openapi({ description: 'Seconds.', example: '2' }) });

const UNFORESEEN = problem(
  500,
  'internal-error',
  'Internal error',
  'Something went wrong here; the request was not at fault.',
);

/** 500, which any route may answer. */
export const failure = { 500: problemAnswer('Something went wrong here.', UNFORESEEN) };

/** 507, which whatever writes may answer. */
export const noRoom = {
  507: problemAnswer(
    'There is no room to keep anything; nothing was written.',
    problem(
      507,
      'insufficient-storage',
      'Insufficient storage',
      'The service has no room left to keep anything: ask again once its operator has made some.',
    ),
  ),
};

const RATE = problem(
  429,
  'too-many-requests',
  'Too many requests',
  '600 requests in 60 seconds are served; the next one in one second.',
);

/** What every route behind a key may answer. */
export const callerProblems = {
  401: {
    ...problemAnswer(
      'No key, or one that is not valid.',
      problem(401, 'invalid-key', 'The key is not valid', 'The key is mistyped, unknown or revoked.'),
      problem(
        401,
        'authentication-required',
        'Authentication required',
        'Send a key with the header "Authorization: Bearer tsr_…".',
      ),
    ),
    headers: z.object({ 'www-authenticate': z.string().openapi({ example: 'Bearer' }) }),
  },
  403: problemAnswer(
    'The key is not for this; or there is no key yet, and the service was not called as localhost.',
    problem(403, 'insufficient-scope', 'The key is not for this', 'This needs a key with the scope "digests".'),
    problem(
      403,
      'foreign-host',
      'Foreign host',
      'Without keys this service answers only requests to localhost; make a key to reach it by another name.',
    ),
  ),
  429: { ...problemAnswer('Too many requests.', RATE), headers: retryAfter },
  ...failure,
};

/** The body of what is not valid, as one example. */
const INVALID = invalid([{ pointer: '/selection/size', detail: 'is not a size that the strategy takes' }]);
const INVALID_DESCRIPTION = 'The request is not valid; `errors` points at what is wrong.';

/** What every route with parameters that are checked may answer besides success. */
export const readProblems = {
  ...callerProblems,
  422: problemAnswer(
    INVALID_DESCRIPTION,
    invalid([{ pointer: '/cursor', detail: 'is no cursor of this list: send the "next" of a page as it stands' }]),
  ),
};

const NOT_JSON = problem(
  415,
  'unsupported-media-type',
  'Unsupported media type',
  'Send JSON, with content-type: application/json.',
);
const MALFORMED_JSON = problem(400, 'malformed-json', 'The body is not JSON', 'The body could not be read as JSON.');

/** What every route with a JSON body may answer besides success. */
export const bodyProblems = {
  ...callerProblems,
  400: problemAnswer('The body is not JSON.', MALFORMED_JSON),
  413: problemAnswer(
    'The body is too large.',
    problem(413, 'body-too-large', 'The body is too large', 'At most 33554432 bytes are accepted.'),
  ),
  415: problemAnswer('The body does not say that it is JSON.', NOT_JSON),
  422: problemAnswer(INVALID_DESCRIPTION, INVALID),
  ...noRoom,
};

const MALFORMED_KEY = problem(
  400,
  'malformed-idempotency-key',
  'The idempotency key is malformed',
  'Idempotency-Key is 1 to 255 visible ASCII characters.',
);
const REUSED_KEY = problem(
  422,
  'idempotency-key-reused',
  'The idempotency key was used before',
  'This Idempotency-Key came with another request before; use a new one for a new request.',
);
const IN_FLIGHT = problem(
  409,
  'idempotency-key-in-flight',
  'The request is being served',
  'The request that this Idempotency-Key came with first is still being served; ask again later.',
);
const inFlightHeaders = z.object({
  'retry-after': z.string().optional().openapi({ description: 'Seconds.', example: '1' }),
});

/** What every POST may answer besides success: it may come with an `Idempotency-Key`. */
export const postProblems = {
  ...bodyProblems,
  400: problemAnswer('The body is not JSON, or Idempotency-Key is malformed.', MALFORMED_JSON, MALFORMED_KEY),
  409: {
    ...problemAnswer('The request that came first with this Idempotency-Key is still being served.', IN_FLIGHT),
    headers: inFlightHeaders,
  },
  422: problemAnswer(
    `${INVALID_DESCRIPTION} Or its Idempotency-Key came with another request before.`,
    INVALID,
    REUSED_KEY,
  ),
};

/** 409 of a POST, with what else may stand in its way. */
export function conflicts(description: string, ...examples: readonly Problem[]) {
  const inFlight = 'the request that came first with this Idempotency-Key is still being served.';
  return {
    409: { ...problemAnswer(`${description}; or ${inFlight}`, IN_FLIGHT, ...examples), headers: inFlightHeaders },
  };
}

/** What a POST without a body may answer besides success. */
export const bodylessProblems = {
  ...callerProblems,
  400: problemAnswer('Idempotency-Key is malformed.', MALFORMED_KEY),
  413: bodyProblems[413],
  415: problemAnswer('A page of another origin asks, and does not say that it sends JSON.', NOT_JSON),
  422: problemAnswer('The Idempotency-Key came with another request before.', REUSED_KEY),
  ...noRoom,
};

/** What routes that take long may answer besides. */
export const workProblems = {
  ...postProblems,
  502: problemAnswer(
    'A model that an option asks for could not be asked.',
    problem(502, 'model-call-failed', 'A model could not be asked', 'The model did not answer in time.'),
  ),
  503: {
    ...problemAnswer(
      'More is asked than can be served in good time.',
      problem(503, 'overloaded', 'Overloaded', 'More is asked than can be served in good time; ask again later.'),
    ),
    headers: retryAfter,
  },
};

/** What a route that makes digests may answer besides. */
export const digestProblems = {
  ...workProblems,
  409: {
    ...problemAnswer(
      'The digest was cancelled while its caller waited; or the request that came first with this Idempotency-Key is still being served.',
      problem(409, 'digest-cancelled', 'Cancelled', 'The digest was cancelled while its caller waited.'),
      IN_FLIGHT,
    ),
    headers: inFlightHeaders,
  },
  429: {
    ...problemAnswer(
      'Too many requests, or too many digests under way.',
      RATE,
      problem(
        429,
        'too-many-digests',
        'Too many digests',
        '100 digests are under way, which is as many as may be: wait until one has ended, or cancel one.',
      ),
    ),
    headers: retryAfter,
  },
};

/** Headers that any POST may come with. */
export const idempotencyHeaders = z.object({
  'idempotency-key': z.string().optional().openapi({
    description:
      'Up to 255 visible characters. The same request with the same key gets the same answer for 24 hours and is served once; failures are not kept.',
    example: '8e03978e-40d5-43e8-bc93-6894a57f9324',
  }),
});

const replayed = {
  'idempotent-replayed': z.string().optional().openapi({
    description: '`true` where this is the answer that was given to the same Idempotency-Key before.',
    example: 'true',
  }),
};

/** Headers of what a POST answers. */
export const replayHeaders = z.object(replayed);

/** Headers of what a POST made. */
export const madeHeaders = (location: string) =>
  z.object({
    location: z.string().openapi({ description: 'Where it is.', example: location }),
    ...replayed,
  });
