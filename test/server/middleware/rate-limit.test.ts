import { Hono } from 'hono';
import { streamSSE } from 'hono/streaming';
import { describe, expect, test } from 'vitest';
import { problemSchema } from '../../../src/contract/index.ts';
import { problem, respond } from '../../../src/server/index.ts';
import { type RateLimit, rateLimit } from '../../../src/server/middleware/rate-limit.ts';
import { problemOf } from '../../../src/server/problem.ts';
import type { ServiceEnv } from '../../../src/server/service-deps.ts';

function limitedApp(limit: RateLimit | null) {
  const clock = { time: 5_000_000 };
  const served: string[] = [];
  let limited = 0;
  const app = new Hono<ServiceEnv>();
  app.onError((error) => respond(problemOf(error)));
  app.notFound(() => respond(problem(404, 'not-found', 'Not found', 'Nothing here.')));
  app.get('/healthz', (context) => context.text('ok'));
  app.use('/v1/*', async (context, next) => {
    context.set('caller', { tenant: context.req.header('tenant') ?? 'default', key: null, scopes: [] });
    await next();
  });
  app.use('/v1/*', rateLimit(limit, { now: () => clock.time, metrics: { rateLimited: () => limited++ } }));
  app.get('/v1/fine', (context) => {
    served.push(context.var.caller.tenant);
    return context.json({ fine: true });
  });
  app.get('/v1/raw', () => new Response('raw', { status: 418, headers: { 'x-own': 'yes' } }));
  app.get('/v1/frozen', () => Response.redirect('http://localhost/', 303));
  app.get('/v1/broken', () => {
    throw new Error('broken');
  });
  app.get('/v1/stream', (context) => streamSSE(context, (stream) => stream.writeSSE({ data: 'one' })));
  const ask = async (path: string, tenant = 'default') => app.request(path, { headers: { tenant } });
  return { ask, clock, served, limited: () => limited };
}

const rateOf = ({ headers }: Response) => [headers.get('ratelimit-policy'), headers.get('ratelimit')];

describe('every response of the routes it covers says how many requests are left', () => {
  test.each([
    ['/v1/fine', 200],
    ['/v1/raw', 418],
    ['/v1/frozen', 303],
    ['/v1/broken', 500],
    ['/v1/stream', 200],
    ['/v1/nowhere', 404],
  ])('%s', async (path, status) => {
    const { ask } = limitedApp({ requests: 600, seconds: 60 });
    const response = await ask(path);
    expect(response.status).toBe(status);
    expect(rateOf(response)).toEqual(['"default";q=600;w=60', '"default";r=599;t=1']);
    expect(response.headers.get('retry-after')).toBeNull();
    await response.text();
  });
});

test('whoever has none left is answered 429, and served again after as long as it says', async () => {
  const { ask, clock, served, limited } = limitedApp({ requests: 2, seconds: 60 });
  await ask('/v1/fine');
  expect(rateOf(await ask('/v1/fine'))[1]).toBe('"default";r=0;t=30');
  clock.time += 4_500;
  const refused = await ask('/v1/fine');
  expect(refused.status).toBe(429);
  expect(rateOf(refused)).toEqual(['"default";q=2;w=60', '"default";r=0;t=26']);
  expect(refused.headers.get('retry-after')).toBe('26');
  expect(refused.headers.get('content-type')).toBe('application/problem+json');
  expect(problemSchema.parse(await refused.json())).toEqual({
    type: 'urn:tessera:problem:too-many-requests',
    title: 'Too many requests',
    status: 429,
    detail: '2 requests in 60 seconds are served; the next one in 26 seconds.',
  });
  expect([served.length, limited()]).toEqual([2, 1]);
  clock.time += 26_000;
  expect((await ask('/v1/fine')).status).toBe(200);
  expect([served.length, limited()]).toEqual([3, 1]);
});

test('each tenant has its own', async () => {
  const { ask, served } = limitedApp({ requests: 1, seconds: 1 });
  expect((await ask('/v1/fine', 'red')).status).toBe(200);
  expect((await ask('/v1/fine', 'red')).status).toBe(429);
  expect((await ask('/v1/fine', 'blue')).status).toBe(200);
  expect(served).toEqual(['red', 'blue']);
});

test('without a limit there is none, and nothing is said of one', async () => {
  const { ask } = limitedApp(null);
  for (let request = 0; request < 50; request++) {
    const response = await ask('/v1/fine');
    expect([response.status, ...rateOf(response)]).toEqual([200, null, null]);
  }
});
