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
  'The service failed; the request was not the cause.',
);

/** What any route may answer. */
export const failure = {
  431: problemAnswer(
    'The headers of the request are too large.',
    problem(431, 'headers-too-large', 'Request headers too large', 'The headers of a request may have at most 16 kB.'),
  ),
  500: problemAnswer('Internal error.', UNFORESEEN),
};

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
  'The limit is 600 requests in 60 seconds; retry in 1 second.',
);

/** What every route behind a key may answer. */
export const callerProblems = {
  401: {
    ...problemAnswer(
      'The key is missing or invalid.',
      problem(401, 'invalid-key', 'Invalid key', 'The key is mistyped, unknown or revoked.'),
      problem(
        401,
        'authentication-required',
        'Authentication required',
        'Send a key in the header "Authorization: Bearer tsr_…".',
      ),
    ),
    headers: z.object({ 'www-authenticate': z.string().openapi({ example: 'Bearer' }) }),
  },
  403: problemAnswer(
    'The key does not have the required scope; or no key exists yet and the request was not sent to localhost.',
    problem(403, 'insufficient-scope', 'Insufficient scope', 'This request needs a key with the scope "digests".'),
    problem(
      403,
      'foreign-host',
      'Foreign host',
      'Until a key exists, the service accepts only requests to localhost; create a key to use another host name.',
    ),
  ),
  429: { ...problemAnswer('Too many requests.', RATE), headers: retryAfter },
  ...failure,
};

/** The body of what is not valid, as one example. */
const INVALID = invalid([{ pointer: '/selection/size', detail: 'is not a size that the strategy supports' }]);
const INVALID_DESCRIPTION = 'The request is invalid; `errors` lists each problem with a JSON pointer.';

/** What every route with parameters that are checked may answer besides success. */
export const readProblems = {
  ...callerProblems,
  422: problemAnswer(
    INVALID_DESCRIPTION,
    invalid([{ pointer: '/cursor', detail: 'is not a cursor of this list: send the "next" of a page unchanged' }]),
  ),
};

const NOT_JSON = problem(
  415,
  'unsupported-media-type',
  'Unsupported media type',
  'Send JSON with the header Content-Type: application/json.',
);
const MALFORMED_JSON = problem(400, 'malformed-json', 'Malformed JSON', 'The request body is not valid JSON.');

/** What every route with a JSON body may answer besides success. */
export const bodyProblems = {
  ...callerProblems,
  400: problemAnswer('The request body is not valid JSON.', MALFORMED_JSON),
  413: problemAnswer(
    'The request body is too large.',
    problem(413, 'body-too-large', 'Request body too large', 'The request body may have at most 33554432 bytes.'),
  ),
  415: problemAnswer('The Content-Type header is not application/json.', NOT_JSON),
  422: problemAnswer(INVALID_DESCRIPTION, INVALID),
  ...noRoom,
};

const MALFORMED_KEY = problem(
  400,
  'malformed-idempotency-key',
  'Malformed Idempotency-Key',
  'Idempotency-Key must be 1 to 255 visible ASCII characters.',
);
const REUSED_KEY = problem(
  422,
  'idempotency-key-reused',
  'Idempotency-Key reused',
  'This Idempotency-Key was used for a different request; use a new key.',
);
const IN_FLIGHT = problem(
  409,
  'idempotency-key-in-flight',
  'Request in progress',
  'The first request with this Idempotency-Key is still in progress; retry later.',
);
const inFlightHeaders = z.object({
  'retry-after': z.string().optional().openapi({ description: 'Seconds.', example: '1' }),
});

/** What every POST may answer besides success: it may come with an `Idempotency-Key`. */
export const postProblems = {
  ...bodyProblems,
  400: problemAnswer(
    'The request body is not valid JSON, or Idempotency-Key is malformed.',
    MALFORMED_JSON,
    MALFORMED_KEY,
  ),
  409: {
    ...problemAnswer('The first request with this Idempotency-Key is still in progress.', IN_FLIGHT),
    headers: inFlightHeaders,
  },
  422: problemAnswer(
    `${INVALID_DESCRIPTION} Or the Idempotency-Key was used for a different request.`,
    INVALID,
    REUSED_KEY,
  ),
};

/** 409 of a POST, with what else may stand in its way. */
export function conflicts(description: string, ...examples: readonly Problem[]) {
  const inFlight = 'the first request with this Idempotency-Key is still in progress.';
  return {
    409: { ...problemAnswer(`${description}; or ${inFlight}`, IN_FLIGHT, ...examples), headers: inFlightHeaders },
  };
}

/** What a POST without a body may answer besides success. */
export const bodylessProblems = {
  ...callerProblems,
  400: problemAnswer('Idempotency-Key is malformed.', MALFORMED_KEY),
  413: bodyProblems[413],
  415: problemAnswer('A page of another origin sent the request without Content-Type: application/json.', NOT_JSON),
  422: problemAnswer('The Idempotency-Key was used for a different request.', REUSED_KEY),
  ...noRoom,
};

/** What routes that take long may answer besides. */
export const workProblems = {
  ...postProblems,
  502: problemAnswer(
    'A request to a language model failed.',
    problem(502, 'model-call-failed', 'Language model request failed', 'The language model did not respond in time.'),
  ),
  503: {
    ...problemAnswer(
      'The service is overloaded.',
      problem(503, 'overloaded', 'Overloaded', 'The service is overloaded; retry later.'),
    ),
    headers: retryAfter,
  },
};

/** What a route that makes digests may answer besides. */
export const digestProblems = {
  ...workProblems,
  409: {
    ...problemAnswer(
      'The digest was cancelled while its caller waited; or the first request with this Idempotency-Key is still in progress.',
      problem(409, 'digest-cancelled', 'Cancelled', 'The digest was cancelled while its caller waited.'),
      IN_FLIGHT,
    ),
    headers: inFlightHeaders,
  },
  429: {
    ...problemAnswer(
      'Too many requests, too many unfinished digests, or too many open streams.',
      RATE,
      problem(
        429,
        'too-many-digests',
        'Too many digests',
        'The limit of 100 unfinished digests is reached: wait until one finishes, or cancel one.',
      ),
    ),
    headers: retryAfter,
  },
};

/** Headers that any POST may come with. */
export const idempotencyHeaders = z.object({
  'idempotency-key': z.string().optional().openapi({
    // As `idempotency` reads it, which answers 400 before this schema is asked.
    pattern: '^(?:"[ !#-~]{1,255}"|[!#-~]{1,255})$',
    minLength: 1,
    maxLength: 257,
    description:
      '1 to 255 visible ASCII characters except quotation marks; or, in quotation marks, with spaces as well. For 24 hours, the same request with the same key is processed once and gets the same answer. Failures are not stored.',
    example: '8e03978e-40d5-43e8-bc93-6894a57f9324',
  }),
});

const replayed = {
  'idempotent-replayed': z.string().optional().openapi({
    description: '`true` if this is the stored answer to an earlier request with the same Idempotency-Key.',
    example: 'true',
  }),
};

/** Headers of what a POST answers. */
export const replayHeaders = z.object(replayed);

/** Headers of what a POST made. */
export const madeHeaders = (location: string) =>
  z.object({
    location: z.string().openapi({ description: 'Address of the resource.', example: location }),
    ...replayed,
  });
