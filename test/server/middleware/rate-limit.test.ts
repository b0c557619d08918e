import fc from 'fast-check';
import { Hono } from 'hono';
import { streamSSE } from 'hono/streaming';
import { expect, test } from 'vitest';
import { type RateLimit, rateLimit, tokenBuckets } from '../../../src/server/middleware/rate-limit.ts';
import { problemOf, respond } from '../../../src/server/problem.ts';
import type { ServiceEnv } from '../../../src/server/service-deps.ts';

function bucketsAt(requests: number, seconds: number) {
  const clock = { time: 1_700_000_000_000 };
  return { clock, buckets: tokenBuckets({ requests, seconds }, () => clock.time) };
}

/** A rate, and callers with pauses of a millisecond up to about the window. */
const histories = fc
  .record({
    requests: fc.integer({ min: 1, max: 20 }),
    seconds: fc.oneof(fc.integer({ min: 1, max: 3600 }), fc.constantFrom(0.001, 0.25, 1.5)),
  })
  .chain((rate) =>
    fc.record({
      rate: fc.constant(rate),
      takes: fc.array(
        fc.record({
          pause: fc.oneof(
            fc.integer({ min: 0, max: 3 }),
            fc.integer({ min: 0, max: Math.ceil((2000 * rate.seconds) / rate.requests) }),
            fc.integer({ min: 0, max: Math.ceil(1500 * rate.seconds) }),
          ),
          tenant: fc.constantFrom('a', 'b', 'c'),
        }),
        { minLength: 1, maxLength: 60 },
      ),
    }),
  );

test('admits the same as virtual scheduling (GCRA) in exact integers, and promises no wait too short', () => {
  fc.assert(
    fc.property(histories, ({ rate: { requests, seconds }, takes }) => {
      const { clock, buckets } = bucketsAt(requests, seconds);
      const capacity = BigInt(requests);
      const window = BigInt(Math.round(seconds * 1000));
      const due = new Map<string, bigint>(); // in milliseconds × capacity
      for (const { pause, tenant } of takes) {
        clock.time += pause;
        const time = BigInt(clock.time) * capacity;
        const from = due.get(tenant) ?? 0n;
        const next = (from > time ? from : time) + window;
        const fits = next - time <= window * capacity;
        if (fits) due.set(tenant, next);
        const debt = (due.get(tenant) ?? time) - time;
        const { allowed, remaining, resetSeconds, retryAfterSeconds } = buckets.take(tenant);
        expect(allowed).toBe(fits);
        expect(remaining).toBe(Number((window * capacity - (debt > 0n ? debt : 0n)) / window));
        const wait = (after: number) => time + BigInt(Math.round(after * 1000)) * capacity;
        const isFree = (at: bigint) => (due.get(tenant) ?? at) + window - at <= window * capacity;
        expect(retryAfterSeconds === 0).toBe(allowed);
        if (!allowed)
          expect([isFree(wait(retryAfterSeconds)), isFree(wait(retryAfterSeconds - 1))]).toEqual([true, false]);
        expect(resetSeconds).toBeGreaterThanOrEqual(1);
      }
    }),
  );
});

test('remembers as many buckets as tenants were seen within a window', () => {
  const { clock, buckets } = bucketsAt(10, 1);
  for (let tenant = 0; tenant < 5000; tenant++) {
    clock.time += 10;
    buckets.take('always');
    buckets.take(String(tenant));
    expect(buckets.size).toBeLessThanOrEqual(102);
  }
  clock.time += 1000;
  buckets.take('last');
  expect(buckets.size).toBe(1);
});

test('a clock that is set back neither refills nor locks out', () => {
  const { clock, buckets } = bucketsAt(2, 2);
  buckets.take('a');
  buckets.take('a');
  clock.time -= 3_600_000;
  expect(buckets.take('a')).toMatchObject({ allowed: false, retryAfterSeconds: 1 });
  clock.time += 1000;
  expect(buckets.take('a').allowed).toBe(true);
});

function limitedApp(limit: RateLimit | null) {
  const clock = { time: 5_000_000 };
  let limited = 0;
  const app = new Hono<ServiceEnv>();
  app.onError((error) => respond(problemOf(error)));
  app.use(async (context, next) => {
    context.set('caller', { tenant: context.req.header('tenant') ?? 'default', key: null, scopes: [] });
    await next();
  });
  app.use(rateLimit(limit, () => clock.time, { count: () => limited++ }));
  app.get('/fine', (context) => context.json({ fine: true }));
  app.get('/raw', () => new Response('raw', { status: 418, headers: { 'x-own': 'yes' } }));
  app.get('/frozen', () => Response.redirect('http://localhost/', 303));
  app.get('/broken', () => {
    throw new Error('broken');
  });
  app.get('/stream', (context) => streamSSE(context, (stream) => stream.writeSSE({ data: 'one' })));
  const ask = async (path: string, tenant = 'default') => app.request(path, { headers: { tenant } });
  return { ask, clock, limited: () => limited };
}

const rateOf = ({ headers }: Response) => [headers.get('ratelimit-policy'), headers.get('ratelimit')];

test.each([
  ['/fine', 200],
  ['/raw', 418],
  ['/frozen', 303],
  ['/broken', 500],
  ['/stream', 200],
  ['/nowhere', 404],
])('every response says how many requests are left: %s', async (path, status) => {
  const response = await limitedApp({ requests: 600, seconds: 60 }).ask(path);
  expect([response.status, response.headers.get('retry-after')]).toEqual([status, null]);
  expect(rateOf(response)).toEqual(['"default";q=600;w=60', '"default";r=599;t=1']);
  await response.text();
});

test('whoever has none left is answered 429, and served again after as long as it says; others are served', async () => {
  const { ask, clock, limited } = limitedApp({ requests: 2, seconds: 60 });
  await ask('/fine');
  expect(rateOf(await ask('/fine'))[1]).toBe('"default";r=0;t=30');
  clock.time += 4_500;
  const refused = await ask('/fine');
  expect([refused.status, refused.headers.get('retry-after'), limited()]).toEqual([429, '26', 1]);
  expect(rateOf(refused)).toEqual(['"default";q=2;w=60', '"default";r=0;t=26']);
  expect(await refused.json()).toMatchObject({
    type: 'urn:tessera:problem:too-many-requests',
    detail: 'At most 2 requests in 60 seconds can be served; the next one in 26 seconds.',
  });
  expect((await ask('/fine', 'other')).status).toBe(200);
  clock.time += 26_000;
  expect([(await ask('/fine')).status, limited()]).toEqual([200, 1]);
});

test('without a limit there is none, and nothing is said of one', async () => {
  const response = await limitedApp(null).ask('/fine');
  expect([response.status, ...rateOf(response)]).toEqual([200, null, null]);
});
