import { expect, test, vi } from 'vitest';
import type { ClientOptions } from '../../src/client/client.ts';
import {
  createClient,
  DigestCancelledError,
  DigestFailedError,
  isFinished,
  TimeoutError,
} from '../../src/client/index.ts';
import { quickTimers } from './quick-timers.ts';
import { DIGEST, eventText, PENDING, problem, type Reply, ScriptedService, STREAM } from './scripted-service.ts';

const REQUEST = { collection: 'col_1' };
const OPEN: Reply = { headers: STREAM, body: ': still here\n\n', end: 'open' };
const PROBLEM = problem(502, 'model-call').body;

async function scripted(replies: readonly Reply[], options: Partial<ClientOptions> = {}) {
  const service = await ScriptedService.start((_, index) => replies[Math.min(index, replies.length - 1)]);
  return { service, ...createClient({ baseUrl: service.url, ...options }) };
}

test('create goes on waiting where the service answers before the digest is made', async () => {
  quickTimers();
  const { digests, service } = await scripted([
    { status: 202, headers: { location: '/v1/digests/dig_1' }, body: { ...PENDING, status: 'running' } },
    { headers: STREAM, body: eventText(1, 'progress', { stage: 'extract', done: 1, total: 2 }), end: 'broken' },
    { headers: STREAM, body: eventText(2, 'digest', DIGEST) },
  ]);
  expect(await digests.create(REQUEST)).toEqual(DIGEST);
  expect(service.sent.map(({ method, path }) => `${method} ${path}`)).toEqual([
    'POST /v1/digests',
    'GET /v1/digests/dig_1',
    'GET /v1/digests/dig_1',
  ]);
  expect(service.sent[2].headers['last-event-id']).toBe('1');
});

test('where no stream comes through, the digest is looked at from time to time', async () => {
  const asked = quickTimers();
  let looks = 0;
  const service = await ScriptedService.start(({ headers }) => {
    if (headers.accept === 'text/event-stream') return { headers: STREAM, body: '' };
    return { body: ++looks < 4 ? PENDING : DIGEST };
  });
  const { digests } = createClient({ baseUrl: service.url, maxRetries: 1 });
  expect(await digests.wait('dig_1')).toEqual(DIGEST);
  expect(looks).toBe(4);
  expect(asked).toEqual(expect.arrayContaining([500, 750, 1125]));
});

test.each<[string, Reply, unknown]>([
  [
    'failed, as an event',
    { headers: STREAM, body: eventText(1, 'error', PROBLEM) },
    { name: 'DigestFailedError', digestId: 'dig_1', status: 502, problem: PROBLEM },
  ],
  [
    'failed, as a state',
    { body: { ...PENDING, status: 'failed', error: PROBLEM } },
    { name: 'DigestFailedError', digestId: 'dig_1', status: 502, problem: PROBLEM },
  ],
  ['failed without a reason', { body: { ...PENDING, status: 'failed' } }, { name: 'DigestFailedError', problem: null }],
  [
    'cancelled, as an event',
    { headers: STREAM, body: eventText(1, 'cancelled', { id: 'dig_1', status: 'cancelled' }) },
    { name: 'DigestCancelledError', digestId: 'dig_1' },
  ],
  [
    'cancelled, as a state',
    { body: { ...PENDING, status: 'cancelled' } },
    { name: 'DigestCancelledError', digestId: 'dig_1' },
  ],
])('a digest that is %s is thrown', async (_, reply, expected) => {
  const { digests } = await scripted([reply]);
  const error = await digests.wait('dig_1').catch((failure: unknown) => failure);
  expect(error).toMatchObject(expected as object);
  expect(error instanceof DigestFailedError || error instanceof DigestCancelledError).toBe(true);
});

test('a digest of documents none of which could be read is an answer, not a failure', async () => {
  const { digests } = await scripted([{ status: 201, body: { ...DIGEST, status: 'failed' } }]);
  const digest = await digests.create(REQUEST);
  expect(digest.status).toBe('failed');
  expect([isFinished(digest), isFinished(PENDING as never)]).toEqual([true, false]);
});

test('waiting ends when its time is up, whatever it is doing', async () => {
  quickTimers();
  const streaming = await scripted([OPEN]);
  await expect(streaming.digests.wait('dig_1', { timeoutMilliseconds: 5_000 })).rejects.toThrow(TimeoutError);
  await vi.waitFor(() => expect(streaming.service.open).toBe(0));
  const limited = await scripted([{ ...problem(429, 'rate'), headers: { 'retry-after': '50' } }]);
  await expect(limited.digests.wait('dig_1', { timeoutMilliseconds: 5_000 })).rejects.toThrow(
    'The digest dig_1 took longer than 5000 ms',
  );
  expect(limited.service.sent).toHaveLength(1);
});

test('an abort ends waiting at once', async () => {
  const { digests, service } = await scripted([{ status: 202, body: PENDING }, OPEN]);
  const controller = new AbortController();
  const reason = new Error('not wanted any more');
  const waiting = digests.create(REQUEST, { signal: controller.signal });
  await vi.waitFor(() => expect(service.sent).toHaveLength(2));
  controller.abort(reason);
  await expect(waiting).rejects.toBe(reason);
  await vi.waitFor(() => expect(service.open).toBe(0));
});
