import { expect, onTestFinished, test, vi } from 'vitest';
import { type ClientOptions, ConflictError, NotFoundError, RateLimitError } from '../../src/client/client.ts';
import { pause } from '../../src/client/deadline.ts';
import { ConnectionError, createClient, TimeoutError } from '../../src/client/index.ts';
import { retryAfter, retryDelay } from '../../src/client/transport.ts';
import { quickTimers } from './quick-timers.ts';
import { DIGEST, PENDING, problem, type Reply, ScriptedService, type Sent } from './scripted-service.ts';

const REQUEST = { documents: [{ id: 'd1', text: 'Trams run.' }] };
const GOOD: Reply = { status: 201, body: DIGEST };

/** A client of a service that answers in turn, with its last reply for all that comes after. */
async function scripted(replies: readonly Reply[], options: Partial<ClientOptions> = {}) {
  const service = await ScriptedService.start((_, index) => replies[Math.min(index, replies.length - 1)]);
  return { service, ...createClient({ baseUrl: service.url, ...options }) };
}

const keysOf = (sent: readonly Sent[]): Set<string | undefined> =>
  new Set(sent.map(({ headers }) => headers['idempotency-key']));

test.each<[string, Reply]>([
  ['a connection that is refused', { end: 'broken' }],
  ['an answer that breaks off', { ...GOOD, body: '{"id"', end: 'broken' }],
  ['408', problem(408, 'timeout')],
  ['409 in flight', problem(409, 'idempotency-key-in-flight')],
  ['429', problem(429, 'rate')],
  ['500', problem(500, 'internal-error')],
  ['502', problem(502, 'model-call')],
  ['503', problem(503, 'overloaded')],
  ['504', problem(504, 'timeout')],
])('%s is tried again with the same idempotency key and body', async (_, bad) => {
  quickTimers();
  const { digests, service } = await scripted([bad, bad, GOOD]);
  expect(await digests.create(REQUEST)).toEqual(DIGEST);
  expect(service.sent).toHaveLength(3);
  expect(keysOf(service.sent).size).toBe(1);
  expect(service.sent.map(({ body }) => body)).toEqual([REQUEST, REQUEST, REQUEST]);
});

test('two calls have two keys', async () => {
  const { digests, service } = await scripted([GOOD]);
  await digests.create(REQUEST);
  await digests.create(REQUEST);
  expect(keysOf(service.sent).size).toBe(2);
});

test.each([400, 401, 403, 404, 409, 413, 422, 501])('%i is not tried again', async (status) => {
  const { digests, service } = await scripted([problem(status, 'some-code')]);
  await expect(digests.create(REQUEST)).rejects.toMatchObject({ status });
  expect(service.sent).toHaveLength(1);
});

test('attempts are bounded, and the last failure is told', async () => {
  quickTimers();
  const { digests, service } = await scripted([problem(429, 'rate')], { maxRetries: 2 });
  await expect(digests.get('dig_1')).rejects.toThrow(RateLimitError);
  expect(service.sent).toHaveLength(3);
  const broken = await scripted([{ end: 'broken' }], { maxRetries: 1 });
  await expect(broken.digests.get('dig_1')).rejects.toThrow(ConnectionError);
  expect(broken.service.sent).toHaveLength(2);
});

test('waiting for the first call with the same key takes no attempts, and ends', async () => {
  quickTimers();
  const inFlight = { ...problem(409, 'idempotency-key-in-flight'), headers: { 'retry-after': '4' } };
  const { digests, service } = await scripted([...Array<Reply>(8).fill(inFlight), GOOD], { maxRetries: 0 });
  expect(await digests.create(REQUEST)).toEqual(DIGEST);
  expect(service.sent).toHaveLength(9);
  const endless = await scripted([inFlight], { timeoutMilliseconds: 10_000 });
  await expect(endless.digests.create(REQUEST)).rejects.toThrow(ConflictError);
  expect(endless.service.sent.length).toBeGreaterThan(2);
  expect(endless.service.sent.length).toBeLessThan(6);
});

test('Retry-After is honoured', async () => {
  vi.spyOn(Math, 'random').mockReturnValue(0);
  const asked = quickTimers();
  const limited = (value: string): Reply => ({ ...problem(429, 'rate'), headers: { 'retry-after': value } });
  const { digests } = await scripted([limited('0'), limited('2'), limited('0.5'), { body: PENDING }]);
  await digests.get('dig_1');
  expect(asked).toEqual(expect.arrayContaining([0, 2_000, 500]));
  vi.restoreAllMocks();
});

test('delays grow, with jitter, up to a bound; what the service asks is kept up to a minute', () => {
  const random = vi.spyOn(Math, 'random');
  const range = (failures: number, asked?: number) =>
    [0, 1].map((value) => {
      random.mockReturnValue(value);
      return retryDelay(failures, asked);
    });
  expect([range(1), range(2), range(3), range(40)]).toEqual([
    [250, 500],
    [500, 1_000],
    [1_000, 2_000],
    [4_000, 8_000],
  ]);
  expect([range(1, 0), range(5, 2), range(1, 3_600)]).toEqual([
    [0, 0],
    [2_000, 2_500],
    [60_000, 75_000],
  ]);
  random.mockRestore();
});

test('Retry-After is read in seconds and as a date', () => {
  const now = Date.UTC(2026, 10, 21, 12, 0, 0);
  const read = (value: string) => retryAfter(new Headers({ 'retry-after': value }), now);
  expect(
    ['3', '0.25', 'Sat, 21 Nov 2026 12:00:07 GMT', 'Sat, 01 Jan 2000 00:00:00 GMT', 'soon', '-1 day'].map(read),
  ).toEqual([3, 0.25, 7, 0, null, null]);
  expect(retryAfter(new Headers())).toBeNull();
});

test('an attempt that takes too long is given up and made again, with the same key', async () => {
  quickTimers();
  const { digests, service } = await scripted([{ body: '{"id"', end: 'open' }, GOOD], { timeoutMilliseconds: 5_000 });
  expect(await digests.create(REQUEST)).toEqual(DIGEST);
  expect(keysOf(service.sent).size).toBe(1);
  const stalled = await scripted([{ body: '{"id"', end: 'open' }], { timeoutMilliseconds: 5_000, maxRetries: 1 });
  await expect(stalled.digests.get('dig_1')).rejects.toThrow(TimeoutError);
  expect(stalled.service.sent).toHaveLength(2);
  await vi.waitFor(() => expect(stalled.service.open).toBe(0));
});

test('what was deleted by an attempt whose answer was lost is gone, and only that', async () => {
  quickTimers();
  const gone = problem(404, 'not-found');
  const lost = await scripted([{ end: 'broken' }, gone]);
  await lost.collections.delete('col_1');
  const page = await scripted([problem(500, 'internal-error'), { status: 404, body: 'gone' }]);
  await page.digests.delete('dig_1');
  const refused = await scripted([problem(429, 'rate'), gone]);
  await expect(refused.collections.delete('col_1')).rejects.toThrow(NotFoundError);
  const never = await scripted([gone]);
  await expect(never.collections.delete('col_1')).rejects.toThrow(NotFoundError);
});

test('an abort ends a call at once: before it, while it runs, and while it waits', async () => {
  const reason = new Error('not wanted any more');
  const { digests, service } = await scripted([{ body: '{"id"', end: 'open' }]);
  await expect(digests.get('dig_1', { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  expect(service.sent).toHaveLength(0);

  const running = new AbortController();
  const call = digests.create(REQUEST, { signal: running.signal });
  await vi.waitFor(() => expect(service.sent).toHaveLength(1));
  running.abort(reason);
  await expect(call).rejects.toBe(reason);
  await vi.waitFor(() => expect(service.open).toBe(0));

  const limited = await scripted([{ ...problem(429, 'rate'), headers: { 'retry-after': '50' } }]);
  const waiting = new AbortController();
  const later = limited.digests.create(REQUEST, { signal: waiting.signal });
  await vi.waitFor(() => expect(limited.service.open + limited.service.sent.length).toBe(1));
  const started = performance.now();
  waiting.abort();
  await expect(later).rejects.toMatchObject({ name: 'AbortError' });
  expect(performance.now() - started).toBeLessThan(5_000);
  expect(limited.service.sent).toHaveLength(1);
});

test('an idempotency key that no header can hold is refused before anything is sent', async () => {
  const { digests, service } = await scripted([GOOD]);
  for (const idempotencyKey of ['', 'a b', 'ä', 'a\n', 'x'.repeat(256)]) {
    await expect(digests.create(REQUEST, { idempotencyKey })).rejects.toThrow(TypeError);
  }
  expect(service.sent).toHaveLength(0);
});

test('waiting that is given up leaves no timer, which would keep a process alive', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const leaving = new AbortController();
  const waiting = pause(60_000, leaving.signal);
  leaving.abort(new Error('enough'));
  await expect(waiting).rejects.toThrow('enough');
  expect(vi.getTimerCount()).toBe(0);
});
