import { inspect } from 'node:util';
import { expect, test, vi } from 'vitest';
import {
  ConflictError,
  NotFoundError,
  RateLimitError,
  UnexpectedAnswerError,
  ValidationError,
} from '../../src/client/client.ts';
import {
  AuthenticationError,
  ConnectionError,
  createClient,
  OverloadedError,
  PermissionError,
  ServerError,
  TesseraClientError,
} from '../../src/client/index.ts';
import { problem, type Reply, ScriptedService } from './scripted-service.ts';

const KEY = 'tsr_live_0123456789abcdef';

/** What a call is rejected with that is answered so, without further attempts. */
async function failureOf(reply: Reply): Promise<TesseraClientError> {
  const service = await ScriptedService.start(() => reply);
  const client = createClient({ baseUrl: service.url, apiKey: KEY, maxRetries: 0 });
  const failure = await client.digests.get('dig_1').catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(TesseraClientError);
  return failure as TesseraClientError;
}

test.each([
  [400, ValidationError],
  [401, AuthenticationError],
  [403, PermissionError],
  [404, NotFoundError],
  [405, UnexpectedAnswerError],
  [409, ConflictError],
  [413, ValidationError],
  [415, ValidationError],
  [422, ValidationError],
  [429, RateLimitError],
  [500, ServerError],
  [502, ServerError],
  [503, OverloadedError],
  [504, ServerError],
])('%i becomes its class', async (status, expected) => {
  const reply = { ...problem(status, 'some-code'), headers: { 'x-request-id': 'req_1', 'retry-after': '17' } };
  const error = await failureOf(reply);
  expect(error.constructor).toBe(expected);
  expect(error).toMatchObject({ name: expected.name, status, requestId: 'req_1', problem: reply.body });
  expect(error.retryAfterSeconds).toBe(17);
  expect(error.message).toBe(`GET /v1/digests/dig_1 was answered with ${status}: it is some-code`);
});

test('a validation error points at what is wrong', async () => {
  const errors = [{ pointer: '/documents/0/id', detail: 'is too short' }];
  expect(await failureOf(problem(422, 'invalid-request', { errors }))).toMatchObject({ errors });
  expect(await failureOf(problem(400, 'invalid-request'))).toMatchObject({ errors: [] });
});

test.each<[string, Reply, typeof ServerError]>([
  ['a page', { status: 502, headers: { 'content-type': 'text/html' }, body: '<h1>Bad gateway</h1>' }, ServerError],
  ['other JSON', { status: 500, body: { error: 'oh' } }, ServerError],
  ['nothing', { status: 500 }, ServerError],
  ['a problem of odd fields', { status: 500, body: { type: 'urn:x', detail: 7 } }, ServerError],
  ['a redirect', { status: 307, headers: { location: 'http://127.0.0.1:9/' } }, UnexpectedAnswerError],
  ['success that is not JSON', { body: 'hello' }, UnexpectedAnswerError],
  ['success that is no object', { body: '7' }, UnexpectedAnswerError],
  ['success without a body', {}, UnexpectedAnswerError],
  ['no answer', { end: 'broken' }, ConnectionError],
  ['half an answer', { body: '{"id":', end: 'broken' }, ConnectionError],
])('%s in place of a problem is still an error of its class', async (_, reply, expected) => {
  const error = await failureOf(reply);
  expect(error.constructor).toBe(expected);
  expect(error.problem).toBeNull();
});

/** Everything that a log may show of an error. */
const shown = (error: unknown): string => `${error} ${JSON.stringify(error)} ${inspect(error, { depth: 9 })}`;

test('an error never holds the key, whoever repeats it', async () => {
  const echo = problem(401, 'unknown-key', {
    detail: `no key ${KEY} is known`,
    errors: [{ pointer: KEY, detail: KEY }],
  });
  const echoed = await failureOf(echo);
  expect(echoed.message).toContain('no key [hidden] is known');
  const fetch = vi.fn(async () => {
    throw Object.assign(new TypeError(`bad header ${KEY}`), {
      cause: Object.assign(new Error(`Bearer ${KEY}`), { config: { headers: KEY } }),
    });
  });
  const client = createClient({ baseUrl: 'http://service.test', apiKey: KEY, fetch, maxRetries: 0 });
  const failed = await client.digests.get('dig_1').catch((error: unknown) => error);
  expect(failed).toBeInstanceOf(ConnectionError);
  for (const error of [echoed, failed]) expect(shown(error)).not.toContain(KEY);
  expect(shown(client)).not.toContain(KEY);
});

test('the JSON of an error tells what it is', async () => {
  const reply = problem(404, 'digest-not-found');
  expect(JSON.parse(JSON.stringify(await failureOf(reply)))).toEqual({
    name: 'NotFoundError',
    message: 'GET /v1/digests/dig_1 was answered with 404: it is digest-not-found',
    status: 404,
    problem: reply.body,
    requestId: 'req_1',
    retryAfterSeconds: null,
  });
});

test.each([
  [{ baseUrl: 'service.test' }],
  [{ baseUrl: 'ftp://service.test' }],
  [{ baseUrl: `http://user:${KEY}@service.test` }],
  [{ baseUrl: `http://service.test?key=${KEY}` }],
  [{ baseUrl: 'http://service.test', apiKey: `${KEY}\n` }],
  [{ baseUrl: 'http://service.test', apiKey: '' }],
  [{ baseUrl: 'http://service.test', maxRetries: -1 }],
  [{ baseUrl: 'http://service.test', maxRetries: 0.5 }],
  [{ baseUrl: 'http://service.test', timeoutMilliseconds: 0 }],
  [{ baseUrl: 'http://service.test', timeoutMilliseconds: Number.NaN }],
])('options that could never work are refused, without their key: %#', (options) => {
  let failure: unknown;
  try {
    createClient(options);
  } catch (error) {
    failure = error;
  }
  expect(failure).toBeInstanceOf(TypeError);
  expect(shown(failure)).not.toContain(KEY);
});
