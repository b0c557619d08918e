import { createRoute, type RouteConfig, z } from '@hono/zod-openapi';
import type { ZodType } from 'zod';
import { type Problem, problemSchema } from '../contract/index.ts';
import { collectionFull, type ProblemCode, tooManyDigests } from './errors.ts';
import { insufficientScope } from './middleware/authenticate.ts';
import { bodyTooLarge } from './middleware/bodies.ts';
import { invalid, problem, problemOf } from './problem.ts';

type Operation = Omit<RouteConfig, 'method' | 'path' | 'operationId' | 'tags' | 'summary'>;

/** The operations of one tag: `api.get('/v1/digests', 'listDigests', 'List digests', { request, responses })`. */
export function operations<Tag extends string>(tag: Tag) {
  const of =
    <const Method extends RouteConfig['method']>(method: Method) =>
    <const Path extends string, Own extends Operation>(path: Path, operationId: string, summary: string, own: Own) =>
      createRoute({ method, path, operationId, tags: [tag], summary, ...own });
  return { get: of('get'), post: of('post'), put: of('put'), patch: of('patch'), remove: of('delete') };
}

type Examples = Readonly<Record<string, { readonly summary: string; readonly value: unknown }>>;

/** One example, named by its summary. */
export function example(summary: string, value: unknown): Examples {
  return { [summary.toLowerCase().replaceAll(/\W+/g, '-')]: { summary, value } };
}

export function json<Schema extends ZodType>(schema: Schema, description: string, examples?: Examples) {
  return { description, content: { 'application/json': { schema, ...(examples && { examples }) } } };
}

export function jsonBody<Schema extends ZodType>(schema: Schema, examples?: Examples) {
  return { required: true, content: { 'application/json': { schema, ...(examples && { examples }) } } };
}

export function problemAnswer(description: string, ...problems: readonly (Problem | ProblemCode)[]) {
  const named = problems.map((each) => {
    const value = typeof each === 'string' ? problem(each) : each;
    return [value.type.replace(/.*:/, ''), { summary: value.title, value }];
  });
  const examples: Examples = Object.fromEntries(named);
  return { description, content: { 'application/problem+json': { schema: problemSchema, examples } } };
}

export function missing(detail: string, description = detail) {
  return { 404: problemAnswer(description, problem('not-found', detail)) };
}

export function header(description: string, example?: string) {
  return z.string().openapi({ description, ...(example !== undefined && { example }) });
}

export const failure = { 500: problemAnswer('Internal error.', 'internal-error') };

export const noRoom = {
  507: problemAnswer('There is no room to keep anything; nothing was written.', 'insufficient-storage'),
};

const retryAfter = z.object({ 'retry-after': header('Seconds.', '2') });
const RATE = problem('too-many-requests', 'The limit is 600 requests in 60 seconds; retry in 1 second.');

export const callerProblems = {
  401: {
    ...problemAnswer('The key is missing or invalid.', 'invalid-key', 'authentication-required'),
    headers: z.object({ 'www-authenticate': z.string().openapi({ example: 'Bearer' }) }),
  },
  403: problemAnswer(
    'The key does not have the required scope; or no key exists yet and the request was not sent to localhost.',
    insufficientScope('digests'),
    'foreign-host',
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
  400: problemAnswer('The request body is not valid JSON.', 'malformed-json'),
  413: problemAnswer('The request body is too large.', bodyTooLarge(33_554_432)),
  415: problemAnswer('The Content-Type header is not one that the request takes.', 'unsupported-media-type'),
  422: problemAnswer(INVALID_DESCRIPTION, INVALID),
  ...noRoom,
};

export const fullCollection = {
  422: problemAnswer(`${INVALID_DESCRIPTION} Or the collection is full.`, INVALID, problemOf(collectionFull(10_000))),
};

const IN_FLIGHT = 'idempotency-key-in-flight';
const inFlightHeaders = z.object({ 'retry-after': header('Seconds.', '1').optional() });

/** 409 of a call with an Idempotency-Key. @param description of its own conflicts, whose problems are `examples` */
export function conflicts(description: string | null, ...examples: readonly (Problem | ProblemCode)[]) {
  const inFlight = 'the first request with this Idempotency-Key is still in progress.';
  const described = description === null ? inFlight.replace('t', 'T') : `${description}; or ${inFlight}`;
  return { 409: { ...problemAnswer(described, IN_FLIGHT, ...examples), headers: inFlightHeaders } };
}

export const postProblems = {
  ...bodyProblems,
  ...conflicts(null),
  400: problemAnswer(
    'The request body is not valid JSON, or Idempotency-Key is malformed.',
    'malformed-json',
    'malformed-idempotency-key',
  ),
  422: problemAnswer(
    `${INVALID_DESCRIPTION} Or the Idempotency-Key was used for a different request.`,
    INVALID,
    'idempotency-key-reused',
  ),
};

export const bodylessProblems = {
  ...callerProblems,
  400: problemAnswer('Idempotency-Key is malformed.', 'malformed-idempotency-key'),
  413: bodyProblems[413],
  415: problemAnswer(
    'A page of another origin sent the request without Content-Type: application/json.',
    'unsupported-media-type',
  ),
  422: problemAnswer('The Idempotency-Key was used for a different request.', 'idempotency-key-reused'),
  ...noRoom,
};

export const workProblems = {
  ...postProblems,
  502: problemAnswer('A request to a language model failed.', 'model-call-failed'),
  503: { ...problemAnswer('The service is overloaded.', 'overloaded'), headers: retryAfter },
};

export const digestProblems = {
  ...workProblems,
  ...conflicts('The digest was cancelled while its caller waited', 'digest-cancelled'),
  429: {
    ...problemAnswer(
      'Too many requests, too many unfinished digests, or too many open streams.',
      RATE,
      problemOf(tooManyDigests(100)),
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

export const replayHeaders = z.object({
  'idempotent-replayed': header(
    '`true` if this is the stored answer to an earlier request with the same Idempotency-Key.',
    'true',
  ).optional(),
});

export function madeHeaders(location: string) {
  return replayHeaders.extend({ location: header('Address of the resource.', location) });
}
