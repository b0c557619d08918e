import { z } from '@hono/zod-openapi';
import type { ZodType } from 'zod';
import { type Problem, problemSchema } from '../contract/index.ts';
import { OverloadedError, TooManyDigestsError } from './errors.ts';
import { BAD_KEY, FOREIGN_HOST, insufficientScope, NO_KEY } from './middleware/authenticate.ts';
import { bodyTooLarge, MALFORMED_JSON, NOT_JSON } from './middleware/bodies.ts';
import { IN_FLIGHT, MALFORMED_KEY, REUSED_KEY } from './middleware/idempotency.ts';
import { HEADERS_TOO_LARGE, invalid, notFound, problem, problemOf } from './problem.ts';

type Examples = Readonly<Record<string, { readonly summary: string; readonly value: unknown }>>;

export function json<Schema extends ZodType>(schema: Schema, description: string, examples?: Examples) {
  return { description, content: { 'application/json': { schema, ...(examples && { examples }) } } };
}

export function jsonBody<Schema extends ZodType>(schema: Schema, examples?: Examples) {
  return { required: true, content: { 'application/json': { schema, ...(examples && { examples }) } } };
}

export function problemAnswer(description: string, ...problems: readonly [Problem, ...Problem[]]) {
  const named = problems.map((value) => [value.type.replace(/.*:/, ''), { summary: value.title, value }]);
  const examples: Examples = Object.fromEntries(named);
  return { description, content: { 'application/problem+json': { schema: problemSchema, examples } } };
}

export function missing(detail: string, description = detail) {
  return { 404: problemAnswer(description, notFound(detail)) };
}

export const failure = {
  431: problemAnswer('The headers of the request are too large.', HEADERS_TOO_LARGE),
  500: problemAnswer('Internal error.', problemOf(null)),
};

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

const retryAfter = z.object({ 'retry-after': z.string().openapi({ description: 'Seconds.', example: '2' }) });

const RATE = problem(
  429,
  'too-many-requests',
  'Too many requests',
  'The limit is 600 requests in 60 seconds; retry in 1 second.',
);

export const callerProblems = {
  401: {
    ...problemAnswer('The key is missing or invalid.', BAD_KEY, NO_KEY),
    headers: z.object({ 'www-authenticate': z.string().openapi({ example: 'Bearer' }) }),
  },
  403: problemAnswer(
    'The key does not have the required scope; or no key exists yet and the request was not sent to localhost.',
    insufficientScope('digests'),
    FOREIGN_HOST,
  ),
  429: { ...problemAnswer('Too many requests.', RATE), headers: retryAfter },
  ...failure,
};

const INVALID = invalid([{ pointer: '/selection/size', detail: 'is not a size that the strategy supports' }]);
const INVALID_DESCRIPTION = 'The request is invalid; `errors` lists each problem with a JSON pointer.';

export const readProblems = {
  ...callerProblems,
  422: problemAnswer(
    INVALID_DESCRIPTION,
    invalid([{ pointer: '/cursor', detail: 'is not a cursor of this list: send the "next" of a page unchanged' }]),
  ),
};

export const bodyProblems = {
  ...callerProblems,
  400: problemAnswer('The request body is not valid JSON.', MALFORMED_JSON),
  413: problemAnswer('The request body is too large.', bodyTooLarge(33_554_432)),
  415: problemAnswer('The Content-Type header is not application/json.', NOT_JSON),
  422: problemAnswer(INVALID_DESCRIPTION, INVALID),
  ...noRoom,
};

const inFlightHeaders = z.object({
  'retry-after': z.string().optional().openapi({ description: 'Seconds.', example: '1' }),
});

export function conflicts(description: string, ...examples: readonly Problem[]) {
  const inFlight = 'the first request with this Idempotency-Key is still in progress.';
  return {
    409: { ...problemAnswer(`${description}; or ${inFlight}`, IN_FLIGHT, ...examples), headers: inFlightHeaders },
  };
}

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

export const bodylessProblems = {
  ...callerProblems,
  400: problemAnswer('Idempotency-Key is malformed.', MALFORMED_KEY),
  413: bodyProblems[413],
  415: problemAnswer('A page of another origin sent the request without Content-Type: application/json.', NOT_JSON),
  422: problemAnswer('The Idempotency-Key was used for a different request.', REUSED_KEY),
  ...noRoom,
};

export const workProblems = {
  ...postProblems,
  502: problemAnswer(
    'A request to a language model failed.',
    problem(502, 'model-call-failed', 'Language model request failed', 'The language model did not respond in time.'),
  ),
  503: {
    ...problemAnswer('The service is overloaded.', problemOf(new OverloadedError('waiting'))),
    headers: retryAfter,
  },
};

export const DIGEST_CANCELLED = problem(
  409,
  'digest-cancelled',
  'Cancelled',
  'The digest was cancelled while its caller waited.',
);

export const digestProblems = {
  ...workProblems,
  ...conflicts('The digest was cancelled while its caller waited', DIGEST_CANCELLED),
  429: {
    ...problemAnswer(
      'Too many requests, too many unfinished digests, or too many open streams.',
      RATE,
      problemOf(new TooManyDigestsError(100)),
    ),
    headers: retryAfter,
  },
};

export const idempotencyHeaders = z.object({
  'idempotency-key': z.string().optional().openapi({
    // As in `idempotency`, which answers 400 before this schema is checked.
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

export const replayHeaders = z.object(replayed);

export function madeHeaders(location: string) {
  return z.object({
    location: z.string().openapi({ description: 'Address of the resource.', example: location }),
    ...replayed,
  });
}
